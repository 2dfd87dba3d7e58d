import type { Schemas } from '../../shared/client.ts'
import { changesOf, inWords } from './changes.ts'

export type Revision = Schemas['FlagRevision']

const done: Record<Revision['change'], string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
  import: 'Imported',
  found: 'Found without a history'
}

/** What a change has done, in one line. */
export function summaryOf({ change, definition }: Revision, before: Revision | undefined): string {
  if (!definition || !before?.definition) return done[change]
  const [one, other] = [before.definition, definition].map((each) => ({ key: '', ...each }))
  const changes = one && other ? changesOf(one, other) : []
  return changes.length > 0 ? `${done[change]}: ${inWords(changes)}` : done[change]
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
