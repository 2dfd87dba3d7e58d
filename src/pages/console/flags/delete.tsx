import { ok, portal } from '../../shared/client.ts'
import { Ask } from '../ask.tsx'
import { keepDraft } from './drafts.ts'

interface DeleteProps {
  flagKey: string
  /** Of the revision that the user has seen. */
  etag?: string
  onDeleted(): unknown
}

/** A button that deletes a flag, after a question. */
export function DeleteFlag({ flagKey: key, etag, onDeleted }: DeleteProps) {
  const remove = async () => {
    const params = { path: { key }, ...(etag && { header: { 'if-match': etag } }) }
    await ok(portal.DELETE('/api/admin/flags/{key}', { params }))
    keepDraft(key, undefined)
    await onDeleted()
  }
  return (
    <Ask label="Delete" about={key} isDangerous onSubmit={remove} words={['flag delete', key]}>
      <p>
        Apps then use the default in their code. To keep the flag and its rules, disable it instead.
      </p>
    </Ask>
  )
}
