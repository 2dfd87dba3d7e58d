import type { Principal } from './principals.ts'
import { randomText } from '../crypto.ts'
import { invalidFields } from '../domain-error.ts'

/** Seconds. An assertion is only about the request that carries it. */
const assertionSeconds = 60
/** Differs from the type of session tokens: neither is ever accepted as the other. */
export const assertionType = 'portal-assertion+jwt'

/**
 * Bytes of the keys with spaces between them. With more, proxies and services refuse the headers:
 * the keys are in them twice, as text and in the assertion.
 */
const most = { roles: 1000, permissions: 3000 }

/** The keys of a user that fit into headers. A list that is too long is left out completely. */
export function fitting(user: Pick<Principal['user'], 'roles' | 'permissions'>) {
  const listed = (kind: keyof typeof most) =>
    user[kind].join(' ').length > most[kind] ? undefined : user[kind]
  return { roles: listed('roles'), permissions: listed('permissions') }
}

/**
 * Tells one service who the user of a request is, even if the request passed through others. It
 * does not prove a session later: the session may have ended.
 * @param now milliseconds, by the clock of the database
 */
export const assertionOf = (
  { user, session }: Pick<Principal, 'user' | 'session'>,
  { issuer, audience, now }: { issuer: string; audience: string; now: number }
) => ({
  iss: issuer,
  aud: audience,
  sub: user.id,
  sid: session.id,
  jti: randomText(16),
  iat: Math.floor(now / 1000),
  exp: Math.floor(now / 1000) + assertionSeconds,
  auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1000),
  ...fitting(user), // undefined with the headers of the same names
  assurance: session.assurance
})
export type AssertionClaims = ReturnType<typeof assertionOf>

export const unknownAudience = () =>
  invalidFields({
    pointer: '/query/audience',
    code: 'unknown-audience',
    message: 'Must be one of the names in ASSERTION_AUDIENCES'
  })
