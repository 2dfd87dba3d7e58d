import { signal } from '@preact/signals'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { lazy } from '../../shared/time-format.ts'
import { may } from '../may.ts'

type Named = Pick<Schemas['Role'], 'name'>

const names = signal<Readonly<Record<string, string>>>({})

/** The name of a role, or its key as long as the name is not known. */
export const nameOfRole = (key: string) => names.value[key] ?? key

const collator = lazy(() => new Intl.Collator(undefined, { numeric: true }))

/** “Team 2” comes before “Team 19”. */
export const byName = (one: Named, other: Named) => collator().compare(one.name, other.name)

/** All roles, by name, which are then known by their keys. Undefined without permission. */
export async function loadRoles(signal: AbortSignal) {
  if (!may('roles:read')) return undefined
  const params = { query: { limit: 200 } }
  const { items } = await ok(portal.GET('/api/admin/roles', { params, signal }))
  names.value = Object.fromEntries(items.map(({ key, name }) => [key, name]))
  return items.toSorted(byName)
}
