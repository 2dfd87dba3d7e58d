import { Type } from '@sinclair/typebox'
import { NewFlag } from './flags.ts'
import { closed, ref } from './primitives.ts'

/** The first member of a file. One that older builds cannot read gets a new number. */
export const flagFormat = 'portal-flags/1'

/** A file with all flags of a portal. */
export const FlagFile = closed({
  format: Type.Literal(flagFormat),
  flags: Type.Array(ref(NewFlag), { maxItems: 10_000 })
})
