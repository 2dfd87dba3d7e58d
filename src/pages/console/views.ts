import type { ComponentType } from 'preact'
import { settings } from '../shared/page.tsx'
import { Activity } from './activity/view.tsx'
import { Overview } from './overview.tsx'
import { User } from './user/user.tsx'
import { Users } from './users.tsx'

export const groups = ['state', 'people', 'features', 'record', 'health'] as const

type Group = (typeof groups)[number]

export type RareViews = typeof import('./rare-views.ts')
export type Content = ComponentType<Record<string, string | undefined>>

export interface View {
  /** Below /console, with parameters as in `/users/:id`: the component gets them as properties. */
  path: string
  /** In the navigation, and on the page that says that the permission is missing. */
  title: string
  permission: string
  Content: Content | keyof RareViews
  /** Its group in the navigation, where its drawing has the name of its title. */
  group?: Group | undefined
  /** Without a group, the path of the view that leads to it. */
  parent?: string | undefined
}

const view = (
  path: string,
  title: string,
  permission: string,
  Content: View['Content'],
  at: { group: Group } | { parent: string }
): View => ({ path, title, permission, Content, ...at })

const all: readonly View[] = [
  view('/', 'Overview', 'activity:read', Overview, { group: 'state' }),
  view('/users', 'Users', 'users:read', Users, { group: 'people' }),
  view('/users/:id/:tab?', 'User', 'users:read', User, { parent: '/users' }),
  view('/roles', 'Roles', 'roles:read', 'Roles', { group: 'people' }),
  view('/roles/:role', 'Role', 'roles:read', 'Role', { parent: '/roles' }),
  view('/scopes/:scope', 'Scope', 'users:read', 'Scope', { parent: '/users' }),
  view('/permissions', 'Permissions', 'permissions:read', 'Permissions', { group: 'people' }),
  view('/sessions', 'Sessions', 'sessions:read', 'Sessions', { group: 'people' }),
  view('/services', 'Services', 'services:read', 'Services', { group: 'people' }),
  view('/services/:service', 'Service', 'services:read', 'Service', { parent: '/services' }),
  view('/providers', 'Providers', 'activity:read', 'Providers', { group: 'people' }),
  view('/flags', 'Flags', 'flags:read', 'Flags', { group: 'features' }),
  view('/flags/:flag/:mode?', 'Flag', 'flags:read', 'Flag', { parent: '/flags' }),
  view('/deleted-flags', 'Deleted flags', 'flags:read', 'DeletedFlags', { parent: '/flags' }),
  view('/new-flag', 'New flag', 'flags:create', 'NewFlag', { parent: '/flags' }),
  view('/segments', 'Segments', 'flags:read', 'Segments', { group: 'features' }),
  view('/segments/:segment/:mode?', 'Segment', 'flags:read', 'Segment', { parent: '/segments' }),
  view('/new-segment', 'New segment', 'flags:create', 'NewSegment', { parent: '/segments' }),
  view('/activity', 'Activity', 'activity:read', Activity, { group: 'record' }),
  view('/webhooks', 'Webhooks', 'webhooks:read', 'Webhooks', { group: 'record' }),
  view('/webhooks/:webhook', 'Webhook', 'webhooks:read', 'Webhook', { parent: '/webhooks' }),
  view('/mail', 'Mail', 'outbox:read', 'Outbox', { group: 'record' }),
  view('/health', 'Health', 'activity:read', 'Health', { group: 'health' })
]

/**
 * All views, in the order of the navigation. The view of `/` is shown at /console. The readiness of
 * an operator's console would say nothing about the portal.
 */
export const views = all.filter(({ path }) => !settings.surface || path !== '/health')
