import { Type } from '@sinclair/typebox'
import { segmentLimits } from '../../db/schema/segments.ts'
import { NewFlag } from './flags.ts'
import { closed, ref } from './primitives.ts'
import { NewSegment } from './segments.ts'

/** The first member of a file. One that older builds cannot read gets a new number. */
export const flagFormat = 'portal-flags/1'

/** A file with all flags and segments of a portal. */
export const FlagFile = closed({
  format: Type.Literal(flagFormat),
  segments: Type.Optional(Type.Array(ref(NewSegment), { maxItems: segmentLimits.count })),
  flags: Type.Array(ref(NewFlag), { maxItems: 10_000 })
})
