import { Loaded, renew, useLoaded } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import { counted } from '../grouped.ts'
import { report } from '../shell/status.tsx'
import { Difference } from './difference.tsx'
import { readPresent, writeAgain } from './historic.ts'
import type { Subject } from './historic.ts'
import type { Revision } from './revisions.ts'

interface RestoreProps {
  of: Subject
  revision: Revision
}

/** A button that restores a version, after showing what differs from the present state. */
export function Restore({ of: subject, revision: { version, definition } }: RestoreProps) {
  const { kind, key } = subject
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
    <Ask
      label="Restore"
      about={`version ${version} of ${key}`}
      action={`Restore version ${version}`}
      onSubmit={restoreShown}
      words={[`${kind} restore`, key, String(version)]}
    >
      <Loaded from={present}>
        {({ state }) => (
          <>
            <p>
              These changes take effect at once
              {placesOf(state)}:
            </p>
            <Difference before={state} after={definition} />
          </>
        )}
      </Loaded>
    </Ask>
  )
}

/** The flags that use a segment. Many are counted. */
const placesOf = ({ usedBy = [] }: { usedBy?: readonly string[] }) =>
  usedBy.length > 0 &&
  `, in ${usedBy.length > 3 ? counted(usedBy.length, 'flag') : usedBy.join(', ')}`

/** Restores a version, and offers to take that back. */
async function restore(subject: Subject, version: number, etag: string) {
  const now = await writeAgain(subject, version, etag)
  await renew()
  const isNew = etag !== `"${now}"`
  report(
    `${subject.key} is as in version ${version} again.`,
    // The version before the new one is what was there, also if it had no revision yet.
    isNew ? () => restore(subject, now - 1, `"${now}"`) : undefined
  )
}
