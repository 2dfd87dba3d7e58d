import { signal } from '@preact/signals'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import type { FlagForm } from './form.ts'

/** A flag as the portal has it, with its revision. */
export interface Saved {
  flag: Schemas['Flag']
  etag: string
}

interface Draft {
  /** What was edited; absent for a new flag. */
  base: Saved | undefined
  form: FlagForm
}

/**
 * Unsaved changes by key; those of a new flag have an empty one. They outlive their view, also when
 * it shows that the portal cannot be reached, and end with the page, which asks first.
 */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

export function keepDraft(key: string, draft: Draft | undefined) {
  const next = new Map(drafts.value)
  if (draft) next.set(key, draft)
  else next.delete(key)
  drafts.value = next
}

addEventListener('beforeunload', (event) => {
  if (drafts.value.size > 0) event.preventDefault()
})

export const readFlag = (key: string) =>
  savedFrom(portal.GET('/api/admin/flags/{key}', { params: { path: { key } } }))

/** Enables or disables a flag, also in its unsaved changes. */
export async function turnFlag(key: string, state: Saved['flag']['state']): Promise<Saved> {
  const params = { path: { key } }
  const next = await savedFrom(portal.PATCH('/api/admin/flags/{key}', { params, body: { state } }))
  const draft = drafts.value.get(key)
  if (draft) {
    // What others have saved in between must not be overwritten without a question.
    const base = draft.base && revisionOf(draft.base) + 1 < revisionOf(next) ? draft.base : next
    keepDraft(key, { base, form: { ...draft.form, state } })
  }
  return next
}

const revisionOf = ({ etag }: Saved) => Number(etag.slice(1, -1))

/** The flag of a response. Throws a RejectedCall if there is none. */
export async function savedFrom(
  call: Promise<{ data?: Schemas['Flag']; error?: unknown; response: Response }>
): Promise<Saved> {
  const flag = await ok(call)
  return { flag, etag: (await call).response.headers.get('etag') ?? '*' }
}
