import { ok, portal, savedFrom } from '../../shared/client.ts'
import type { Saved, Schemas } from '../../shared/client.ts'
import { titles } from './differences.ts'
import { changesOf, inWords, shortened } from './sentences.ts'

export type Revision = Schemas['FlagRevision']

const done: Record<Revision['change'], string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
  import: 'Imported',
  found: 'Recorded as it was'
}

/** Characters of a summary: the version opens to all of it. */
const most = 160

/** Says what a change has done, in one line. */
export function summaryOf(
  { change, definition, fields }: Revision,
  before: Revision | undefined
): string {
  if (!definition || !before?.definition) return done[change]
  const [one, other] = [before.definition, definition].map((each) => ({ key: '', ...each }))
  // For a segment, the names of the changed fields are enough.
  const changes =
    'rules' in definition && one && other
      ? changesOf(one, other)
      : fields.map((field) => ((titles as Record<string, string>)[field] ?? field).toLowerCase())
  return changes.length > 0 ? `${done[change]}: ${shortened(inWords(changes), most)}` : done[change]
}

/** The first items of a list of the API. */
export async function firstOf<T>(
  most: number,
  read: (query: {
    limit: number
    cursor?: string
  }) => Promise<{ items: T[]; nextCursor: string | null }>
): Promise<T[]> {
  const found: T[] = []
  let cursor: string | null | undefined
  while (found.length < most && cursor !== null) {
    const limit = Math.min(most - found.length, 200)
    const { items, nextCursor } = await read({ limit, ...(cursor !== undefined && { cursor }) })
    found.push(...items)
    cursor = nextCursor
  }
  return found
}

/** A flag or a segment. */
export interface Subject {
  kind: 'flag' | 'segment'
  key: string
}

/** Segments have the same operations as flags, whose types stand for both. */
export const pathOf = ({ kind }: Subject) => `/api/admin/${kind}s/{key}` as '/api/admin/flags/{key}'

/** The present state. */
export const readPresent = <Value extends object>(subject: Subject) =>
  savedFrom<Value>(portal.GET(pathOf(subject), { params: { path: { key: subject.key } } }) as never)

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
  return revisionOf(await savedFrom<object>(call))
}

/** The number in a tag such as `"3-kq0…"`, whose rest stands for the content. */
export const revisionOf = ({ etag }: Pick<Saved<object>, 'etag'>) => Number.parseInt(etag.slice(1))
