import { useState } from 'preact/hooks'
import { ok, portal } from '../../shared/client.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Form } from '../../shared/form.tsx'
import { keepDraft } from './drafts.ts'

interface DeleteProps {
  flagKey: string
  /** Of the revision that the user has seen. */
  etag?: string
  onDeleted(): unknown
}

/** A button that deletes a flag, after a question. */
export function DeleteFlag({ flagKey: key, etag, onDeleted }: DeleteProps) {
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const remove = async () => {
    const params = { path: { key }, ...(etag && { header: { 'if-match': etag } }) }
    await ok(portal.DELETE('/api/admin/flags/{key}', { params }))
    keepDraft(key, undefined)
    close()
    await onDeleted()
  }
  return (
    <>
      <button type="button" class="dangerous" onClick={() => setAsked(true)}>
        Delete<span class="unseen"> {key}</span>
      </button>
      {isAsked && (
        <Dialog title={`Delete ${key}?`} onClose={close}>
          <p>
            Apps then use the default in their code. To keep the flag and its rules, disable it
            instead.
          </p>
          <Form
            action="Delete"
            isDangerous
            onSubmit={remove}
            more={
              <button type="button" class="secondary outline" onClick={close}>
                Cancel
              </button>
            }
          >
            {null}
          </Form>
        </Dialog>
      )}
    </>
  )
}
