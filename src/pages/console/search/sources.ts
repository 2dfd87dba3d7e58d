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

const roles = async (signal: AbortSignal): Promise<Found[]> => {
  if (!may('roles:read')) return []
  const { items } = await ok(portal.GET('/api/admin/roles', { params: { query }, signal }))
  return items.map(({ key, name }) => ({
    kind: 'role',
    path: `/roles/${key}`,
    title: name,
    detail: key
  }))
}

const services = async (signal: AbortSignal): Promise<Found[]> => {
  if (!may('services:read')) return []
  const { items } = await ok(portal.GET('/api/admin/services', { params: { query }, signal }))
  return items.map(({ key, name }) => ({
    kind: 'service',
    path: `/services/${key}`,
    title: name,
    detail: key
  }))
}

/** By key, and by description. */
const featuresOf = async (kind: 'flag' | 'segment', signal: AbortSignal): Promise<Found[]> => {
  if (!may('flags:read')) return []
  const { items } = await ok(portal.GET(`/api/admin/${kind}s`, { params: { query }, signal }))
  return items.map(({ key, description }: Pick<Schemas['Segment'], 'key' | 'description'>) => ({
    kind,
    path: `/${kind}s/${key}`,
    title: key,
    ...(description !== '' && { detail: description })
  }))
}

const places = (): Found[] =>
  views
    .filter(({ menu, permission }) => menu && may(permission))
    .map(({ path, title }) => ({ kind: 'view', path, title }))

/** What a query finds; without one, what was opened last and the views. */
export function useFound(q: string) {
  const people = useLoaded(['search', 'users', q], (signal) => users(q, signal))
  const others = useLoaded(['search', 'roles and others'], async (signal) =>
    (
      await Promise.all([
        roles(signal),
        services(signal),
        featuresOf('flag', signal),
        featuresOf('segment', signal)
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
