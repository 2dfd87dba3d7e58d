import { Type } from '@sinclair/typebox'
import { descriptionLength } from '../../db/schema/roles.ts'
import { revision } from './flag-revisions.ts'
import { NewSegmentWhen, SegmentKey, SegmentWhen } from './flag-rules.ts'
import { FlagKey } from './flags.ts'
import { pageOf } from './lists.ts'
import { closed, newDescription, nullable, text, Timestamp } from './primitives.ts'

const examples = ['People who try new features first']
const description = text(descriptionLength.max, { examples })

export const Segment = closed(
  {
    key: SegmentKey,
    description,
    when: SegmentWhen,
    usedBy: Type.Array(FlagKey, {
      maxItems: 10_000,
      description: 'Keys of the flags whose rules name the segment'
    }),
    createdAt: Timestamp('Time of creation'),
    updatedAt: Timestamp('Time of the last change')
  },
  { $id: 'Segment', description: 'A group of callers, to which rules of many flags can refer' }
)
export const SegmentPage = pageOf('SegmentPage', Segment, 'A page of segments')

const newDescriptionOfSegment = Type.Optional(newDescription({ examples }))

export const NewSegment = closed(
  { key: SegmentKey, description: newDescriptionOfSegment, when: NewSegmentWhen },
  {
    $id: 'NewSegment',
    description: 'A new segment',
    examples: [{ key: 'beta-testers', when: { rolesAny: ['admin'] } }]
  }
)

export const SegmentPatch = closed(
  { description: newDescriptionOfSegment, when: Type.Optional(NewSegmentWhen) },
  {
    $id: 'SegmentPatch',
    minProperties: 1,
    description: 'Omitted fields keep their value; `when` is replaced as a whole',
    examples: [{ when: { users: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'] } }]
  }
)

/** @public a component of the API document */
export const SegmentRevision = closed(
  {
    ...revision,
    definition: nullable(
      closed(
        { description, when: SegmentWhen },
        { description: 'The segment after the change; null after a deletion' }
      )
    )
  },
  { $id: 'SegmentRevision', description: 'A saved state of a segment' }
)
export const SegmentRevisionPage = pageOf(
  'SegmentRevisionPage',
  SegmentRevision,
  'A page of the history of a segment'
)
