import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Form } from '../../shared/form.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
import { may } from '../may.ts'
import { keepDraft, readFlag } from './drafts.ts'
import type { Saved } from './drafts.ts'
import { Editor } from './editor.tsx'
import { History } from './history.tsx'

export function Flag({ flag: name = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(() => readFlag(name), name)
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
  const [isAsked, setAsked] = useState(false)
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
          <button type="button" class="dangerous" onClick={() => setAsked(true)}>
            Delete the flag
          </button>
        </div>
      )}
      {isAsked && <Delete saved={saved} flagKey={key} onClose={() => setAsked(false)} />}
    </>
  )
}

function Delete({
  saved: { etag },
  flagKey: key,
  onClose
}: {
  saved: Saved
  flagKey: string
  onClose(): void
}) {
  const [, navigate] = useLocation()
  const remove = async () => {
    const params = { path: { key }, header: { 'if-match': etag } }
    await ok(portal.DELETE('/api/admin/flags/{key}', { params }))
    keepDraft(key, undefined)
    navigate('/flags')
  }
  return (
    <Dialog title={`Delete ${key}?`} onClose={onClose}>
      <p>
        Apps then use the default in their code. To keep the flag and its rules, disable it instead.
      </p>
      <Form
        action="Delete"
        isDangerous
        onSubmit={remove}
        more={
          <button type="button" class="secondary outline" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {null}
      </Form>
    </Dialog>
  )
}
