import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
import { may } from '../may.ts'
import { useRemembered } from '../search/recent.ts'
import { DeleteFlag } from './delete.tsx'
import { readFlag } from './drafts.ts'
import type { Saved } from './drafts.ts'
import { Editor } from './editor.tsx'
import { History } from './history.tsx'

export function Flag({ flag: name = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/flags', name], () => readFlag(name))
  useRemembered(loaded.value && { kind: 'flag', path: `/flags/${name}`, title: name })
  return (
    <Page title={`Flag ${name}`}>
      <Loaded from={loaded}>{(saved) => <View key={name} loaded={saved} />}</Loaded>
    </Page>
  )
}

export const NewFlag = () => (
  <Page title="New flag">
    <Editor />
  </Page>
)

function View({ loaded }: { loaded: Saved }) {
  const [changed, setChanged] = useState<Saved>()
  const [, navigate] = useLocation()
  // What this page has saved is newer than what it loaded before, but not than a later load.
  const saved = changed && changed.flag.updatedAt >= loaded.flag.updatedAt ? changed : loaded
  const { key, type, createdAt, updatedAt } = saved.flag
  return (
    <>
      <p>
        Type <code>{type}</code>, created <Time at={createdAt} />, last changed{' '}
        <Time at={updatedAt} />
      </p>
      <Editor saved={saved} onSaved={setChanged} />
      <History flag={saved.flag} />
      {may('flags:delete') && (
        <div class="actions">
          <DeleteFlag flagKey={key} etag={saved.etag} onDeleted={() => navigate('/flags')} />
        </div>
      )}
    </>
  )
}
