import { Type } from '@sinclair/typebox'
import type { StringOptions } from '@sinclair/typebox'

/**
 * For the table of docs/lookup/configuration.md only, `note` adds to the description, and `unset`
 * says in words what holds without the variable.
 */
interface Words {
  description: string
  note?: string
  unset?: string
}

export const word = <const T extends readonly string[]>(
  words: T,
  options: Words & { default?: T[number] }
) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      words.map((each) => Type.Literal(each)),
      options
    )
  )

export const optionalText = (options: Words & StringOptions) => Type.Optional(Type.String(options))

export const integer = (
  limits: { minimum: number; maximum: number; default: number },
  description: string
) => Type.Integer({ ...limits, description })
