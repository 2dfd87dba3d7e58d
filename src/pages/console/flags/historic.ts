import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { firstOf } from './revisions.ts'

/** What has a history. */
export interface Subject {
  kind: 'flag' | 'segment'
  key: string
}

/** Segments have the same operations as flags, whose types stand for both. */
const pathOf = ({ kind }: Subject) => `/api/admin/${kind}s/{key}` as '/api/admin/flags/{key}'

/** The present state, with its ETag. */
export async function readPresent(subject: Subject): Promise<{ state: object; etag: string }> {
  const { key } = subject
  const call = portal.GET(pathOf(subject), { params: { path: { key } } })
  return { state: await ok(call), etag: (await call).response.headers.get('etag') ?? '*' }
}

/** The newest versions. */
export const readRevisions = (subject: Subject, most: number, signal?: AbortSignal) =>
  firstOf<Schemas['FlagRevision']>(most, (query) =>
    ok(
      portal.GET(`${pathOf(subject)}/revisions`, {
        params: { path: { key: subject.key }, query },
        ...(signal && { signal })
      })
    )
  )

/** Writes an earlier version again. Returns the number of the new one. */
export async function writeAgain(subject: Subject, version: number, etag: string) {
  const params = { path: { key: subject.key }, header: { 'if-match': etag } }
  const call = portal.POST(`${pathOf(subject)}/restore`, { params, body: { version } })
  await ok(call)
  return Number((await call).response.headers.get('etag')?.slice(1, -1))
}
