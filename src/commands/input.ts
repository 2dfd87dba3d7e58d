import type { Static, TSchema } from '@sinclair/typebox'
import { invalidFields } from '../domain/errors.ts'
import { explainViolations } from '../problems.ts'
import { FlagRule, FlagValue } from '../schemas/flags.ts'
import { ProfilePatch } from '../schemas/profiles.ts'
import { UsageError } from './errors.ts'

/** Reads JSON of this shape: what the admin API would take as a body. Throws as it would refuse. */
export async function reader<T extends TSchema> (schema: T): Promise<(text: string) => Static<T>> {
  const { compileBody } = await import('../validation.ts') // takes its time: only for commands that read JSON
  const validate = compileBody(schema, [FlagValue, FlagRule, ProfilePatch])
  return (text) => {
    const value = parse(text)
    if (!validate(value)) throw invalidFields(...explainViolations(validate.errors ?? []))
    return value as Static<T>
  }
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('This is not JSON.')
  }
}
