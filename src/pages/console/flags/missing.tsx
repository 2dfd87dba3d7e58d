import { Link } from 'wouter-preact'
import { Empty } from '../list/empty.tsx'
import type { Subject } from './historic.ts'

/** In place of a flag or a segment that does not exist. */
export const Missing = ({ kind, name }: { kind: Subject['kind']; name: string }) => (
  <Empty
    title={`There is no ${kind} ${name}`}
    action={<Link href="/deleted-flags">Deleted flags and segments</Link>}
  >
    It may have been deleted.
  </Empty>
)

/** Leaves a form for something new. */
export const Cancel = ({ to }: { to: string }) => (
  <Link href={to} role="button" class="outline">
    Cancel
  </Link>
)
