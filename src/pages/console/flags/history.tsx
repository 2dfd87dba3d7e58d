import { useEffect, useRef, useState } from 'preact/hooks'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import type { Loading } from '../../shared/load.tsx'
import { Ago, Time } from '../../shared/time.tsx'
import { Actor } from '../actor.tsx'
import { may } from '../may.ts'
import { Difference } from './difference.tsx'
import { partsOf } from './differences.ts'
import { readRevisions } from './historic.ts'
import type { Subject } from './historic.ts'
import { Restore } from './restore.tsx'
import { summaryOf } from './revisions.ts'
import { shortened } from './sentences.ts'
import type { Revision } from './revisions.ts'

export interface LoadedHistory {
  revisions: Loading<Revision[]>
  /** How many are shown. One more is loaded, which the last one is compared with. */
  shown: number
  showMore(): void
}

/** The last changes of something, which are loaded beside it. */
export function useHistory(subject: Subject): LoadedHistory {
  const [shown, show] = useState(20)
  const revisions = useLoaded(['/api/admin', 'revisions', subject, shown], (signal) =>
    readRevisions(subject, shown + 1, signal)
  )
  return { revisions, shown, showMore: () => show(shown + 20) }
}

interface HistoryProps {
  of: Subject
  updatedAt: string
  history: LoadedHistory
}

export function History({ of: subject, updatedAt, history }: HistoryProps) {
  const { revisions, shown, showMore } = history
  const before = useRef(updatedAt)
  useEffect(() => {
    // There is a new revision.
    if (before.current !== updatedAt) void revisions.reload()
    before.current = updatedAt
  }, [updatedAt])
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      <Loaded from={revisions}>
        {(items) =>
          items.length === 0 ? (
            <p class="muted">It begins with the next change.</p>
          ) : (
            <ul class="rows history">
              {items.slice(0, shown).map((revision, n) => (
                <li key={revision.version}>
                  <Entry revision={revision} before={items[n + 1]} current={items[0]} />
                  {n > 0 && revision.definition && may('flags:update') && (
                    <Restore of={subject} revision={revision} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {(revisions.value?.length ?? 0) > shown && (
        <div class="actions">
          <button type="button" class="outline" onClick={showMore}>
            Show older versions
          </button>
        </div>
      )}
    </section>
  )
}

interface EntryProps {
  revision: Revision
  before: Revision | undefined
  current: Revision | undefined
}

/** A version, which opens to what it has changed. */
function Entry({ revision, before, current }: EntryProps) {
  const { version, at, actorType, actorLabel, definition } = revision
  const id = `version-${version}`
  const isAsked = location.hash === `#${id}`
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => {
    if (isAsked) document.getElementById(id)?.scrollIntoView()
  }, [])
  return (
    <details
      id={id}
      class="revision"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>
        <strong>Version {version}</strong> {summaryOf(revision, before)}{' '}
        {revision === current && <span class="chip">Current</span>}
        <small class="muted">
          {actorLabel && `by ${shortened(actorLabel)}, `}
          <Ago at={at} />
        </small>
      </summary>
      {isOpen && (
        <div>
          <p class="muted">
            <Time at={at} />
            {actorType && (
              <>
                , by <Actor of={{ ...revision, actorType }} />
              </>
            )}
          </p>
          {revision !== current && current?.definition && definition && (
            <p>{comparedWith(current.definition, definition)}</p>
          )}
          {before?.definition && <p class="muted">Compared with version {before.version}:</p>}
          <Difference before={before?.definition ?? null} after={definition} />
        </div>
      )}
    </details>
  )
}

function comparedWith(current: object, definition: object) {
  const parts = partsOf(current, definition)
  return parts
    ? `Differs from the current version in: ${parts}.`
    : 'The same as the current version.'
}
