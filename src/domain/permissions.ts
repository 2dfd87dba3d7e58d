/**
 * What the portal itself asks for. The names are part of the contract; operators may add permissions of their own.
 * A permission added here reaches the database, and the system roles named with it, with the next migration.
 */
export const systemPermissions = {
  'profile:read': "See one's own profile",
  'profile:update': "Change one's own profile",
  'theme:update': "Choose one's own theme",
  'name:update': "Change one's own name",
  'users:read': 'See all users',
  'users:create': 'Make users',
  'users:update': 'Change users, their passwords and their roles',
  'users:delete': 'Delete users',
  'roles:read': 'See all roles',
  'roles:create': 'Make roles',
  'roles:update': 'Change roles and their permissions',
  'roles:delete': 'Delete roles',
  'permissions:read': 'See all permissions',
  'permissions:create': 'Make permissions',
  'permissions:update': 'Change permissions',
  'permissions:delete': 'Delete permissions',
  'flags:read': 'See all feature flags',
  'flags:create': 'Make feature flags',
  'flags:update': 'Change feature flags',
  'flags:delete': 'Delete feature flags',
  'sessions:read': 'See all sessions',
  'sessions:revoke': 'End sessions',
  'activity:read': 'See all activity'
} as const

export type SystemPermission = keyof typeof systemPermissions

export const systemPermissionKeys = Object.keys(systemPermissions) as SystemPermission[]

export const systemRoles = {
  user: {
    name: 'User',
    description: 'Every registered account',
    permissions: ['profile:read', 'profile:update', 'theme:update', 'name:update']
  },
  admin: {
    name: 'Administrator',
    description: 'Every permission, also those added later',
    permissions: systemPermissionKeys
  }
} as const satisfies Record<
  string,
  { name: string; description: string; permissions: readonly SystemPermission[] }
>

export type SystemRole = keyof typeof systemRoles

/** What a route asks of its caller; `optional` counts a good session and takes a bad cookie for none. */
export type Access = 'public' | 'optional' | 'session' | { permission: SystemPermission }

export const isAccess = (value: unknown): value is Access =>
  value === 'public' ||
  value === 'optional' ||
  value === 'session' ||
  (typeof value === 'object' &&
    value !== null &&
    'permission' in value &&
    systemPermissionKeys.some((key) => key === value.permission))
