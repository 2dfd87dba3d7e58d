import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { may } from '../may.ts'
import { views } from '../views.ts'
import { ranked } from './found.ts'
import type { Found } from './found.ts'
import { recent } from './recent.ts'

const users = async (q: string, signal: AbortSignal): Promise<Found[]> => {
  if (q === '' || !may('users:read')) return []
  const params = { query: { q, limit: 9 } }
  const { items } = await ok(portal.GET('/api/admin/users', { params, signal }))
  return items.map(({ id, name, email }) => ({
    kind: 'user',
    path: `/users/${id}`,
    title: name,
    detail: email
  }))
}

const query = { limit: 200 }

type Keyed = Pick<Schemas['Role'], 'key' | 'name'> | Pick<Schemas['Segment'], 'key' | 'description'>

/** What has a key: by that, and by its name or its description. */
async function keyed(
  kind: 'role' | 'service' | 'flag' | 'segment',
  signal: AbortSignal
): Promise<Found[]> {
  if (!may(`${kind === 'segment' ? 'flag' : kind}s:read`)) return []
  const { items } = await ok(portal.GET(`/api/admin/${kind}s`, { params: { query }, signal }))
  return items.map((each: Keyed) => ({
    kind,
    path: `/${kind}s/${each.key}`,
    title: 'name' in each ? each.name : each.key,
    detail: 'name' in each ? each.key : each.description
  }))
}

const places = (): Found[] =>
  views
    .filter(({ group, permission }) => group && may(permission))
    .map(({ path, title }) => ({ kind: 'view', path, title }))

/** What a query finds; without one, what was opened last and the views. */
export function useFound(q: string) {
  const people = useLoaded(['search', 'users', q], (signal) => users(q, signal))
  const others = useLoaded(['search', 'roles and others'], async (signal) =>
    (
      await Promise.all([
        keyed('role', signal),
        keyed('service', signal),
        keyed('flag', signal),
        keyed('segment', signal)
      ])
    ).flat()
  )
  const last = recent()
  const all = [...(people.value ?? []), ...(others.value ?? []), ...places()]
  return {
    items:
      q === ''
        ? [...last, ...places().filter(({ path }) => !last.some((each) => each.path === path))]
        : ranked(
            q,
            all,
            last.map(({ path }) => path)
          ),
    error: people.error ?? others.error,
    isLoading: people.isLoading || others.isLoading
  }
}
