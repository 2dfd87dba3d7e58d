import type { OwnPermission } from './vocabulary.ts'

/** The keys of an object whose type names all of them. */
export const objectKeys = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]

/**
 * The permissions that the portal requires. Their keys are part of the API; operators can add
 * custom permissions. A permission added here is stored, and granted to the system roles that list
 * it, by the next migration.
 */
export const systemPermissions = {
  'profile:read': 'View own profile',
  'profile:update': 'Update own profile',
  'theme:update': 'Change own theme',
  'name:update': 'Change own name',
  'settings:read': 'View own settings of the app',
  'settings:update': 'Change own user settings of the app',
  'app-settings:read': 'View the settings of all users',
  'app-settings:update': 'Change the app settings of all users',
  'users:read': 'View all users',
  'users:create': 'Create users',
  'users:update': 'Update users, their passwords and their roles',
  'users:delete': 'Delete users',
  'roles:read': 'View all roles',
  'roles:create': 'Create roles',
  'roles:update': 'Update roles and their permissions',
  'roles:delete': 'Delete roles',
  'permissions:read': 'View all permissions',
  'permissions:create': 'Create permissions',
  'permissions:update': 'Update permissions',
  'permissions:delete': 'Delete permissions',
  'flags:read': 'View all feature flags',
  'flags:create': 'Create feature flags',
  'flags:update': 'Update feature flags',
  'flags:delete': 'Delete feature flags',
  'sessions:read': 'View all sessions',
  'sessions:revoke': 'Revoke sessions',
  'members:manage': 'Invite people to a scope, and grant and revoke roles in it',
  'keys:create': 'Create API keys for oneself',
  'keys:read': 'View all API keys, without the secrets',
  'keys:revoke': 'Revoke API keys',
  'services:read': 'View all services',
  'services:create': 'Create services',
  'services:update': 'Update services and their roles, and create their API keys',
  'services:delete': 'Delete services',
  'activity:read': 'View all activity records',
  'webhooks:read': 'View the webhooks and what they sent',
  'webhooks:create': 'Create webhooks',
  'webhooks:update': 'Update and test webhooks, renew their secrets, and send events again',
  'webhooks:delete': 'Delete webhooks',
  'outbox:read': 'View the mail that is sent, without its contents',
  'outbox:retry': 'Send mail again that was not delivered'
} as const

export type SystemPermission = keyof typeof systemPermissions

/** A permission of the portal or of the app that is built on it. */
export type Permission = SystemPermission | OwnPermission

export const systemPermissionKeys = objectKeys(systemPermissions)

export const systemRoles = {
  user: {
    name: 'User',
    description: 'Every registered account',
    permissions: [
      'profile:read',
      'profile:update',
      'theme:update',
      'name:update',
      'settings:read',
      'settings:update'
    ]
  },
  admin: {
    name: 'Administrator',
    description: 'Every permission, including those added later',
    permissions: systemPermissionKeys
  }
} as const satisfies Record<
  string,
  { name: string; description: string; permissions: readonly SystemPermission[] }
>

export type SystemRole = keyof typeof systemRoles

/** The access policy of a route. With `optional`, an invalid cookie counts as no session. */
export type Access = 'public' | 'optional' | 'session' | PermissionAccess | KeyAccess

interface PermissionAccess {
  permission: Permission
  /**
   * Where the request names a scope, such as `params.org` for `/api/orgs/:org`. Then a role in this
   * scope can give the permission as well.
   */
  scope?: ScopeSource
}
export type ScopeSource = `${'params' | 'query'}.${string}`
const scopeSource = /^(params|query)\.\w+$/

/** Where requests of a route name the scope in which its permission is needed. */
export const scopeSourceOf = (access: Access | undefined): ScopeSource | undefined =>
  typeof access === 'object' && 'scope' in access ? access.scope : undefined

/** For API keys only: any of them, or those whose effective permissions contain this one. */
export type KeyAccess = 'key' | { key: Permission }

/** Whether a route with this policy is for signed-in users only. */
export const requiresSession = (access: Access | undefined) =>
  access === 'session' || (typeof access === 'object' && 'permission' in access)

/** Whether a route with this policy is for API keys only. */
export const requiresKey = (access: Access | undefined): access is KeyAccess =>
  access === 'key' || (typeof access === 'object' && 'key' in access)

/** Where a policy expects the scope, if that is a parameter which the path does not have. */
export function missingSource(url: string, access: Access | undefined) {
  const source = scopeSourceOf(access)
  const [part, name] = source?.split('.') ?? []
  return part === 'params' && !url.split(/[/.-]/).includes(`:${name}`) ? source : undefined
}

/** The permission that a policy asks for, if it asks for one. */
export const permissionOf = (access: Access | undefined): Permission | undefined =>
  typeof access !== 'object' ? undefined : 'key' in access ? access.key : access.permission

/** @param own the permissions of the app */
export const isAccess = (value: unknown, own: Iterable<string> = []): value is Access =>
  value === 'public' ||
  value === 'optional' ||
  value === 'session' ||
  value === 'key' ||
  (typeof value === 'object' &&
    value !== null &&
    isPermission(namedIn(value), own) &&
    (!('scope' in value) || ('permission' in value && scopeSource.test(String(value.scope)))))

const namedIn = (value: object): unknown =>
  'permission' in value ? value.permission : 'key' in value ? value.key : undefined

const isPermission = (value: unknown, own: Iterable<string>) =>
  [...systemPermissionKeys, ...own].some((key) => key === value)
