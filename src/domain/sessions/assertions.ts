import { randomText } from '../crypto.ts'
import { invalidFields } from '../errors.ts'
import type { KeyCaller } from '../keys/key-cache.ts'
import type { Principal } from './principals.ts'

/** Seconds. An assertion is only about the request that carries it. */
const assertionSeconds = 60
/** Differs from the type of session tokens: neither is ever accepted as the other. */
export const assertionType = 'portal-assertion+jwt'

/**
 * Bytes of the keys with spaces between them. With more, proxies and services refuse the headers:
 * the keys are in them twice, as text and in the assertion.
 */
const most = { roles: 1000, permissions: 3000 }

type Rights = Pick<Principal['user'], 'roles' | 'permissions'>

/** The keys of a user with spaces between them. Undefined if they do not fit into a header. */
export function fittingText(rights: Rights, kind: keyof typeof most): string | undefined {
  const text = rights[kind].join(' ')
  return text.length > most[kind] ? undefined : text
}

/** The keys of a user that fit into headers. A list that is too long is left out completely. */
function fitting(rights: Rights) {
  const listed = (kind: keyof typeof most) =>
    fittingText(rights, kind) === undefined ? undefined : rights[kind]
  return { roles: listed('roles'), permissions: listed('permissions') }
}

/**
 * Tells one service who the user of a request is, even if the request passed through others. It
 * does not prove a session later: the session may have ended.
 */
export const assertionOf = (
  { user, session }: Pick<Principal, 'user' | 'session'>,
  about: About
) => ({
  ...claimsFor(about),
  sub: user.id,
  sid: session.id,
  auth_time: Math.floor(Date.parse(session.authenticatedAt) / 1000),
  ...fitting(user), // undefined with the headers of the same names
  assurance: session.assurance
})

/** The assertion of an API key. `client` distinguishes it from a person who is present. */
export const keyAssertionOf = (caller: KeyCaller, about: About) => ({
  ...claimsFor(about),
  sub: caller.owner.id,
  client: 'key' as const,
  key: caller.key.id,
  ...fitting(caller),
  assurance: 1
})
export type AssertionClaims = ReturnType<typeof assertionOf> | ReturnType<typeof keyAssertionOf>

interface About {
  issuer: string
  audience: string
  /** Milliseconds, by the clock of the database. */
  now: number
  /** The scope in which the roles and permissions count. */
  scope?: string | undefined
}

const claimsFor = ({ issuer, audience, now, scope }: About) => ({
  iss: issuer,
  aud: audience,
  jti: randomText(16),
  iat: Math.floor(now / 1000),
  exp: Math.floor(now / 1000) + assertionSeconds,
  // Not `scope`, in which a library may look for scopes of OAuth.
  portal_scope: scope
})

export const unknownAudience = () =>
  invalidFields({
    pointer: '/query/audience',
    code: 'unknown-audience',
    message: 'Must be one of the names in ASSERTION_AUDIENCES'
  })
