import { portal } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import { report } from '../shell/status.tsx'
import { Difference } from './difference.tsx'
import { readFlag, savedFrom } from './drafts.ts'
import type { Saved } from './drafts.ts'
import type { Revision } from './revisions.ts'

interface RestoreProps {
  flagKey: string
  revision: Revision
  onRestored(saved: Saved): unknown
}

/** A button that restores a version of a flag, after showing what differs from the present one. */
export function Restore({ flagKey: key, revision, onRestored }: RestoreProps) {
  const { version, definition } = revision
  const present = useLoaded(['/api/admin/flags', key], () => readFlag(key))
  const restoreShown = async () => {
    if (!present.value) return
    try {
      await restore(key, version, present.value.etag, onRestored)
    } catch (error) {
      await present.reload() // it may have changed
      throw error
    }
  }
  return (
    <Ask
      label="Restore"
      about={`version ${version}`}
      onSubmit={restoreShown}
      words={['flag restore', key, String(version)]}
    >
      <Loaded from={present}>
        {({ flag }) => <Difference before={flag} after={definition} />}
      </Loaded>
    </Ask>
  )
}

/** Writes an earlier version again. */
export const writeAgain = (key: string, version: number, etag: string) =>
  savedFrom(
    portal.POST('/api/admin/flags/{key}/restore', {
      params: { path: { key }, header: { 'if-match': etag } },
      body: { version }
    })
  )

/** Restores a version, and offers to take that back. */
async function restore(
  key: string,
  version: number,
  etag: string,
  onRestored: RestoreProps['onRestored']
) {
  const saved = await writeAgain(key, version, etag)
  await onRestored(saved)
  // The version before the new one is what was there, also if it had no revision yet.
  const undo = () => restore(key, Number(saved.etag.slice(1, -1)) - 1, saved.etag, onRestored)
  report(`${key} is as in version ${version} again.`, saved.etag === etag ? undefined : undo)
}
