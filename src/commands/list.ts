import type { Db } from '../../db/engine.ts'
import type { Page, Window } from '../domain/keyset.ts'
import { findLabels } from '../domain/users/list.ts'
import type { ListOptions } from './options.ts'
import { jsonPrinter, say, tablePrinter } from './output.ts'
import type { Column } from './output.ts'

const pageSize = 1000

/** The rows with the e-mail address of their user, if there still is one. */
export async function withEmails<T extends { userId: string | null }>(db: Db, page: Page<T>) {
  const labels = await findLabels(
    db,
    page.items.map(({ userId }) => userId)
  )
  const emailOf = ({ userId }: T) => labels.get(userId ?? '')?.email ?? null
  return mapPage(page, (item) => ({ ...item, userEmail: emailOf(item) }))
}

const mapPage = <T, U>(page: Page<T>, change: (item: T) => U): Page<U> => ({
  ...page,
  items: page.items.map(change)
})

/** The number of a version is for conditional requests of the API only. */
export const unversioned = <T extends { version: unknown }>(page: Page<T>) =>
  mapPage(page, ({ version, ...row }) => row)

/**
 * Prints the requested rows page by page, so that a list of any length needs the memory of one
 * page. Prints a note to stderr when there are more.
 */
export async function printList<T extends object, Sort extends string>(
  { limit, all, sort, json }: ListOptions<Sort>,
  list: (window: Window<Sort>) => Promise<Page<T>>,
  columns: readonly Column<T>[]
) {
  const printer = json ? jsonPrinter() : tablePrinter(columns)
  const wanted = all ? Infinity : limit
  let shown = 0
  let more = false
  let after: unknown[] | undefined
  do {
    // One extra row shows whether there are more.
    const page = await list({ sort, after, limit: Math.min(wanted - shown + 1, pageSize) })
    const items = page.items.slice(0, wanted - shown)
    await printer.add(items)
    shown += items.length
    more = page.items.length > items.length
    after = page.next
  } while (after && !more)
  await printer.end()
  if (more) say(`${shown} shown, and there are more: use --all or --limit`)
}
