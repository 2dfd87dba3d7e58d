import type { ComponentType } from 'preact'
import { settings } from '../shared/page.tsx'
import { Activity } from './activity/view.tsx'
import { DeletedFlags } from './flags/deleted.tsx'
import { Flag, NewFlag } from './flags/flag.tsx'
import { Flags } from './flags/list.tsx'
import { StaleFlags } from './flags/stale.tsx'
import { Health } from './health.tsx'
import { Outbox } from './mail.tsx'
import { Overview } from './overview.tsx'
import { Permissions } from './roles/permissions.tsx'
import { Role } from './roles/role.tsx'
import { Roles } from './roles/roles.tsx'
import { Segments } from './segments/list.tsx'
import { NewSegment, Segment } from './segments/segment.tsx'
import { Service } from './services/service.tsx'
import { Services } from './services/services.tsx'
import { Sessions } from './sessions.tsx'
import { User } from './user/user.tsx'
import { Users } from './users.tsx'

export const groups = ['state', 'people', 'features', 'record', 'health'] as const

export interface View {
  /** Below /console, with parameters as in `/users/:id`: the component gets them as properties. */
  path: string
  /** In the navigation, and on the page that says that the permission is missing. */
  title: string
  permission: string
  /** Its place in the navigation, where its drawing has the name of its title. */
  group?: (typeof groups)[number]
  /** Without one, the path of the view that leads to it. */
  parent?: string
  Content: ComponentType<Record<string, string | undefined>>
}

const all: readonly View[] = [
  {
    path: '/',
    title: 'Overview',
    permission: 'activity:read',
    group: 'state',
    Content: Overview
  },
  {
    path: '/users',
    title: 'Users',
    permission: 'users:read',
    group: 'people',
    Content: Users
  },
  {
    path: '/users/:id/:tab?',
    title: 'User',
    permission: 'users:read',
    parent: '/users',
    Content: User
  },
  {
    path: '/roles',
    title: 'Roles',
    permission: 'roles:read',
    group: 'people',
    Content: Roles
  },
  {
    path: '/roles/:role',
    title: 'Role',
    permission: 'roles:read',
    parent: '/roles',
    Content: Role
  },
  {
    path: '/permissions',
    title: 'Permissions',
    permission: 'permissions:read',
    group: 'people',
    Content: Permissions
  },
  {
    path: '/sessions',
    title: 'Sessions',
    permission: 'sessions:read',
    group: 'people',
    Content: Sessions
  },
  {
    path: '/services',
    title: 'Services',
    permission: 'services:read',
    group: 'people',
    Content: Services
  },
  {
    path: '/services/:service',
    title: 'Service',
    permission: 'services:read',
    parent: '/services',
    Content: Service
  },
  {
    path: '/flags',
    title: 'Flags',
    permission: 'flags:read',
    group: 'features',
    Content: Flags
  },
  {
    path: '/flags/:flag',
    title: 'Flag',
    permission: 'flags:read',
    parent: '/flags',
    Content: Flag
  },
  {
    path: '/stale-flags',
    title: 'Stale flags',
    permission: 'flags:read',
    parent: '/flags',
    Content: StaleFlags
  },
  {
    path: '/deleted-flags',
    title: 'Deleted flags',
    permission: 'flags:read',
    parent: '/flags',
    Content: DeletedFlags
  },
  {
    path: '/new-flag',
    title: 'New flag',
    permission: 'flags:create',
    parent: '/flags',
    Content: NewFlag
  },
  {
    path: '/segments',
    title: 'Segments',
    permission: 'flags:read',
    group: 'features',
    Content: Segments
  },
  {
    path: '/segments/:segment',
    title: 'Segment',
    permission: 'flags:read',
    parent: '/segments',
    Content: Segment
  },
  {
    path: '/new-segment',
    title: 'New segment',
    permission: 'flags:create',
    parent: '/segments',
    Content: NewSegment
  },
  {
    path: '/activity',
    title: 'Activity',
    permission: 'activity:read',
    group: 'record',
    Content: Activity
  },
  {
    path: '/mail',
    title: 'Mail',
    permission: 'outbox:read',
    group: 'record',
    Content: Outbox
  },
  {
    path: '/health',
    title: 'Health',
    permission: 'activity:read',
    group: 'health',
    Content: Health
  }
]

/**
 * All views, in the order of the navigation. That of `/` is shown at /console. The metrics of an
 * operator's console would say nothing about the portal.
 */
export const views = all.filter(({ path }) => !settings.surface || path !== '/health')
