import type { Schemas } from '../../shared/client.ts'
import { changesOf, inWords } from './changes.ts'
import { titles } from './differences.ts'
import { shortened } from './sentences.ts'

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

/** What a change has done, in one line. */
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
