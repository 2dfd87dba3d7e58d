import type { Static, TSchema } from '@sinclair/typebox'
import { invalidFields } from '../domain/errors.ts'
import { explainViolations } from '../http/field-errors.ts'
import { FlagRule, FlagValue } from '../schemas/flags.ts'
import { ProfilePatch } from '../schemas/profiles.ts'
import { UsageError } from './errors.ts'

/** Holds input to the shape that the admin API takes. The function returned throws as the API would refuse. */
export async function checker<T extends TSchema>(
  schema: T
): Promise<(value: unknown) => Static<T>> {
  const { compileBody } = await import('../http/validation.ts') // takes its time: only for commands that bring something in
  const validate = compileBody(schema, [FlagValue, FlagRule, ProfilePatch])
  return (value) => {
    if (!validate(value)) throw invalidFields(...explainViolations(validate.errors ?? []))
    return value as Static<T>
  }
}

/** What was given in arguments and options; an option that was not given is absent. */
export async function checked<T extends TSchema>(schema: T, given: object): Promise<Static<T>> {
  return (await checker(schema))(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  )
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('This is not JSON.')
  }
}
