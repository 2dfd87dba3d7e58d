import { ok, portal } from '../../shared/client.ts'
import { useGet } from '../../shared/load.tsx'
import type { Body, ParametersOf, Readable } from '../../shared/load.tsx'
import { useParameters } from './address.ts'

/** Paths of lists, which return a page of items at a time. */
type Listed = {
  [Path in Readable]: Body<Path> extends { items: unknown[]; nextCursor: string | null }
    ? Path
    : never
}[Readable]

type Query<Path extends Listed> = NonNullable<ParametersOf<Path>['query']>

/** Filters of a list, with the types of its query. */
export type FiltersOf<Path extends Listed, Name extends keyof Query<Path>> = Partial<
  Pick<Query<Path>, Name | Extract<'cursor', keyof Query<Path>>>
>

const mostExported = 10_000

/**
 * A list of the API, 50 items a page, with filters that are in the address.
 * @param names those that the view has
 * @param queryOf what to ask for, if it is not the filters as they are
 */
export function useList<Path extends Listed, const Name extends keyof Query<Path> & string>(
  path: Path,
  names: readonly Name[],
  queryOf: (filters: FiltersOf<Path, Name>) => Partial<Query<Path>> = (filters) => filters
) {
  const [values, onFilter] = useParameters([...names, 'cursor'])
  // An address may have anything: the portal refuses what it does not know, and the list says so.
  const filters = values as FiltersOf<Path, Name>
  const query = { ...queryOf(filters), limit: 50 }
  /** Reads all items that match the filters, up to a limit. */
  const readAll = async () => {
    const all: object[] = []
    let cursor: string | undefined
    do {
      const params = { query: { ...query, limit: 200, cursor } }
      // The compiler has checked the query above, as in `useGet`.
      const page = await ok<{ items: object[]; nextCursor: string | null }>(
        portal.GET(path as never, { params } as never)
      )
      all.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && all.length < mostExported)
    return all
  }
  return { filters, onFilter, from: useGet(path, { query } as ParametersOf<Path>), readAll }
}
