import type { Static, TSchema } from '@sinclair/typebox'
import { uuidForm } from '../../db/schema/columns.ts'
import { invalidFields } from '../domain/domain-error.ts'
import { explainViolations } from '../http/field-errors.ts'
import { components } from '../schemas/components.ts'
import { UsageError } from './errors.ts'
import { readInput } from './terminal.ts'

/**
 * Validates input against a schema of the admin API. The returned function throws the API's
 * refusal.
 */
export async function checker<T extends TSchema>(
  schema: T
): Promise<(value: unknown) => Static<T>> {
  // Slow to load, so only commands with input load it.
  const { compileBody } = await import('../http/validation.ts')
  const validate = compileBody(schema, components)
  return (value) => {
    if (!validate(value)) throw invalidFields(...explainViolations(validate.errors ?? []))
    return value as Static<T>
  }
}

/** Validates arguments and options; options that were not given are left out. */
export async function checked<T extends TSchema>(schema: T, given: object): Promise<Static<T>> {
  return (await checker(schema))(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  )
}

/** @param command lists the ids */
export function requireId(id: string, what: string, command: string) {
  if (uuidForm.test(id)) return
  throw new UsageError(
    `${what} looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e. Run ${command} to find it.`
  )
}

/** Reads a file, or stdin for `-`. */
export const readJson = async (file: string) => parseJson(await readInput(file))

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The input is not valid JSON.')
  }
}
