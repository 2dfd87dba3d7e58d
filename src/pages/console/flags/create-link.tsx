import { Link } from 'wouter-preact'
import { ReadOnlyButton } from '../action-buttons.tsx'
import { may, mayWrite } from '../may.ts'
import type { Subject } from './revisions.ts'

/** The primary action of a list. */
export function CreateLink({ kind }: Pick<Subject, 'kind'>) {
  const label = `Create a ${kind}`
  if (!may('flags:create')) return null
  return mayWrite() ? (
    <Link href={`/new-${kind}`} role="button">
      {label}
    </Link>
  ) : (
    <ReadOnlyButton label={label} words={[`${kind} create`, ['--file', `${kind}.json`]]} />
  )
}
