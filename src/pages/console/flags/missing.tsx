import { Link } from 'wouter-preact'
import { RejectedCall } from '../../shared/client.ts'
import { Empty } from '../list/empty.tsx'
import type { Subject } from './revisions.ts'

/** The title of the page of a flag or a segment. */
export const titleOf = (kind: 'Flag' | 'Segment', name: string, { error }: { error?: unknown }) =>
  `${kind} ${error instanceof RejectedCall && error.problem.status === 404 ? 'not found' : name}`

/** Stands in place of a flag or a segment that does not exist. */
export const Missing = ({ kind, name }: { kind: Subject['kind']; name: string }) => (
  <Empty
    title={`There is no ${kind} ${name}`}
    action={<Link href="/deleted-flags">Deleted flags and segments</Link>}
  >
    It may have been deleted.
  </Empty>
)
