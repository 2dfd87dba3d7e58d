import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '../domain/errors.ts'
import type { KeyCaller } from '../domain/keys/key-cache.ts'
import { fittingText } from '../domain/sessions/assertions.ts'
import type { SignedIn } from './authentication.ts'
import { isSafe } from './methods.ts'

// A check for another service reads headers of a proxy, and answers with headers.

const form = /^[A-Z]{3,20}$/

/**
 * Whether the original request, about which a proxy or a service asks, may change something. They
 * always ask with GET, so they must name the original method; of two, the one that changes
 * something counts. Throws `original-method-missing`, also for two headers of one name.
 */
export function isOriginalWriting(headers: IncomingHttpHeaders): boolean {
  const named = [headers['x-original-method'], headers['x-forwarded-method']].filter(
    (value) => value !== undefined
  )
  if (named.length === 0) throw new DomainError('original-method-missing')
  return named.some((method) => {
    if (typeof method !== 'string' || !form.test(method)) {
      throw new DomainError('original-method-missing')
    }
    return !isSafe(method)
  })
}

/**
 * The result of a check as headers: ids and keys, which are ASCII without spaces. A service learns
 * the address and the name of a user from the app, or not at all.
 */
export const portalHeaders = ({
  user,
  session
}: Pick<SignedIn, 'user' | 'session'>): Record<string, string> =>
  withRights(user, {
    'portal-user': user.id,
    'portal-session': session.id,
    'portal-assurance': String(session.assurance)
  })

/** Headers about the owner of an API key. A service is named by its key, as in `reporting`. */
export function keyHeaders(caller: KeyCaller): Record<string, string> {
  const headers = withRights(caller, { 'portal-key': caller.key.id, 'portal-assurance': '1' })
  if (caller.owner.type === 'user') headers['portal-user'] = caller.owner.id
  else headers['portal-service'] = caller.owner.label
  return headers
}

/** Adds the rights. By assignment, because spreading objects showed in profiles. */
function withRights(
  rights: { roles: string[]; permissions: string[] },
  headers: Record<string, string>
) {
  const roles = fittingText(rights, 'roles')
  const permissions = fittingText(rights, 'permissions')
  if (roles === undefined) headers['portal-roles-omitted'] = 'true'
  else headers['portal-roles'] = roles
  if (permissions === undefined) headers['portal-permissions-omitted'] = 'true'
  else headers['portal-permissions'] = permissions
  return headers
}

/** Bytes. Proxies refuse responses with larger headers. */
const mostProblem = 2000

/**
 * The problem document of a refused check as a header, because proxies drop the body of the
 * response. Headers are ASCII, so other characters are escaped.
 */
export function problemHeader(document: string): Record<string, string> {
  const value = document.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
  return value.length > mostProblem ? {} : { 'portal-problem': value }
}
