import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

/** A reference to a component by its $id, typed as the component (a bare Type.Ref is not). */
export const ref = <T extends TSchema>(schema: T, description?: string) =>
  Type.Unsafe<Static<T>>({ ...Type.Ref(schema.$id ?? ''), ...(description && { description }) })

export const oneOf = <const T extends readonly string[]>(words: T, options: { description?: string } = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words, ...options })

/** An answer without a body. */
export const NoContent = (description: string) => Type.Unsafe<undefined>({ type: 'null', description })

/** A Date in the handler, RFC 3339 with milliseconds on the wire. */
export const Timestamp = (description: string) =>
  Type.Unsafe<Date>({ type: 'string', format: 'date-time', maxLength: 24, description, examples: ['2026-01-31T09:30:00.000Z'] })

export const Id = (description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, description, examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'] })

/** No control characters, halves of a character or marks that turn the reading direction. */
export const plainText = '^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]*$'
