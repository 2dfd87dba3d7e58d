import type { ComponentType } from 'preact'
import { Activity } from './activity.tsx'
import { Flag, NewFlag } from './flags/flag.tsx'
import { Flags } from './flags/list.tsx'
import { Health } from './health.tsx'
import { Outbox } from './mail.tsx'
import { Overview } from './overview.tsx'
import { Permissions } from './roles/permissions.tsx'
import { Role } from './roles/role.tsx'
import { Roles } from './roles/roles.tsx'
import { Sessions } from './sessions.tsx'
import { User } from './user/user.tsx'
import { Users } from './users.tsx'

export interface View {
  /** Below /console, with parameters as in `/users/:id`: the component gets them as properties. */
  path: string
  /** In the navigation, and on the page that says that the permission is missing. */
  title: string
  permission: string
  inMenu: boolean
  Content: ComponentType<Record<string, string | undefined>>
}

/** All views, in the order of the navigation. That of `/` is shown at /console. */
export const views: readonly View[] = [
  { path: '/', title: 'Overview', permission: 'activity:read', inMenu: true, Content: Overview },
  { path: '/users', title: 'Users', permission: 'users:read', inMenu: true, Content: Users },
  { path: '/users/:id', title: 'User', permission: 'users:read', inMenu: false, Content: User },
  { path: '/roles', title: 'Roles', permission: 'roles:read', inMenu: true, Content: Roles },
  { path: '/roles/:role', title: 'Role', permission: 'roles:read', inMenu: false, Content: Role },
  {
    path: '/permissions',
    title: 'Permissions',
    permission: 'permissions:read',
    inMenu: true,
    Content: Permissions
  },
  { path: '/flags', title: 'Flags', permission: 'flags:read', inMenu: true, Content: Flags },
  { path: '/flags/:flag', title: 'Flag', permission: 'flags:read', inMenu: false, Content: Flag },
  {
    path: '/new-flag',
    title: 'New flag',
    permission: 'flags:create',
    inMenu: false,
    Content: NewFlag
  },
  {
    path: '/sessions',
    title: 'Sessions',
    permission: 'sessions:read',
    inMenu: true,
    Content: Sessions
  },
  {
    path: '/activity',
    title: 'Activity',
    permission: 'activity:read',
    inMenu: true,
    Content: Activity
  },
  { path: '/mail', title: 'Mail', permission: 'outbox:read', inMenu: true, Content: Outbox },
  { path: '/health', title: 'Health', permission: 'activity:read', inMenu: true, Content: Health }
]
