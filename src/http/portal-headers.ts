import type { SignedIn } from './authentication.ts'

/** Bytes. With more, proxies refuse the headers of a response. */
const mostPermissions = 3000

/**
 * The answer of a check as headers: ids and keys, which are ASCII without spaces. A service learns
 * the address and the name of a user from the app, or not at all.
 */
export function portalHeaders({ user, session }: SignedIn): Record<string, string> {
  const permissions = user.permissions.join(' ')
  return {
    'portal-user': user.id,
    'portal-session': session.id,
    'portal-roles': user.roles.join(' '),
    'portal-assurance': String(session.assurance),
    ...(permissions.length > mostPermissions
      ? { 'portal-permissions-omitted': 'true' }
      : { 'portal-permissions': permissions })
  }
}
