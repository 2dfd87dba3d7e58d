import type { ComponentType } from 'preact'
import { Flag, NewFlag } from './flags/flag.tsx'
import { Flags } from './flags/list.tsx'
import { Permissions } from './roles/permissions.tsx'
import { Role } from './roles/role.tsx'
import { Roles } from './roles/roles.tsx'
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

/** All views, in the order of the navigation. The first one is shown at /console. */
export const views: readonly View[] = [
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
  }
]
