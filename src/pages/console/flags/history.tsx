import { useEffect, useRef, useState } from 'preact/hooks'
import { Action } from '../../shared/form.tsx'
import { Loaded, reloadAll, useLoaded } from '../../shared/load.tsx'
import { Ago, Time } from '../../shared/time.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { Actor } from '../user-link.tsx'
import { Difference } from './difference.tsx'
import { partsOf } from './differences.ts'
import { readPresent, readRevisions, revisionOf, summaryOf, writeAgain } from './revisions.ts'
import type { Revision, Subject } from './revisions.ts'
import { shortened } from './sentences.ts'

/** The last changes of something. One more is loaded, which the last one is compared with. */
export const useRevisions = (subject: Subject, shown = 20) =>
  useLoaded(['/api/admin', 'revisions', subject, shown], (signal) =>
    readRevisions(subject, shown + 1, signal)
  )

export function History({ of: subject, updatedAt }: { of: Subject; updatedAt: string }) {
  const [shown, show] = useState(20)
  const revisions = useRevisions(subject, shown)
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
          <Action label="Show older versions" kind="outline" onPress={() => show(shown + 20)} />
          <span class="muted">The last {shown} are shown.</span>
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

/** A button that restores a version, after showing what differs from the present state. */
function Restore({ of: subject, revision }: { of: Subject; revision: Revision }) {
  const { kind, key } = subject
  const { version, definition } = revision
  const present = useLoaded(['/api/admin', 'present', subject], () => readPresent(subject))
  const restoreShown = async () => {
    if (!present.value) return
    try {
      await restore(subject, version, present.value.etag)
    } catch (error) {
      await present.reload() // it may have changed
      throw error
    }
  }
  return (
    <ConfirmButton
      label="Restore"
      about={`version ${version} of ${key}`}
      action={`Restore version ${version}`}
      onSubmit={restoreShown}
      words={[`${kind} restore`, key, String(version)]}
    >
      <Loaded from={present}>
        {({ value: state }) => (
          <>
            <p>
              These changes take effect at once
              {placesOf(state)}:
            </p>
            <Difference before={state} after={definition} />
          </>
        )}
      </Loaded>
    </ConfirmButton>
  )
}

/** The flags that use a segment. Many are counted. */
const placesOf = ({ usedBy = [] }: { usedBy?: readonly string[] }) =>
  usedBy.length > 0 &&
  `, in ${usedBy.length > 3 ? counted(usedBy.length, 'flag') : usedBy.join(', ')}`

/** Restores a version, and offers to take that back. */
async function restore(subject: Subject, version: number, etag: string) {
  const now = await writeAgain(subject, version, etag)
  await reloadAll()
  const isNew = revisionOf({ etag }) !== now
  report(
    `${subject.key} is as in version ${version} again.`,
    // The version before the new one is what was there, also if it had no revision yet.
    isNew ? () => restore(subject, now - 1, `"${now}"`) : undefined
  )
}
