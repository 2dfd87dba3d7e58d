import { Type } from '@sinclair/typebox'
import { factorMethods } from '../../db/schema/second-factors.ts'
import { revokeReasons, sessionStates } from '../../db/schema/sessions.ts'
import type { Assurance } from '../../db/schema/sessions.ts'
import { pageOf } from './lists.ts'
import { closed, headers, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { RightsInScope } from './scopes.ts'
import { CurrentUser, userLabel } from './users.ts'

// Without bounds, which add nothing to an enum: orval writes Zod schemas that fail for both.
const assurance = Type.Unsafe<Assurance>({
  type: 'integer',
  enum: [1, 2],
  format: 'int32',
  description: 'Number of factors that were proved in this session'
})

export const CurrentSession = closed(
  {
    id: Id('Session id; not the secret in the cookie'),
    createdAt: Timestamp('Time of the sign-in'),
    expiresAt: Timestamp('Time at which the session expires at the latest'),
    authenticatedAt: Timestamp(
      'Time at which the user last authenticated; in 1970 if their provider does not say it'
    ),
    assurance,
    amr: Type.Array(Type.String({ maxLength: 10, pattern: '^[a-z]+$', examples: ['pwd'] }), {
      maxItems: 10,
      description:
        'Authentication methods (RFC 8176): `pwd` password, `otp` one-time code, `hwk` or ' +
        '`swk` passkey, `user` verified by the device, `mfa` several factors'
    }),
    idleExpiresAt: Timestamp('Time at which the session expires if no further request is made')
  },
  { $id: 'CurrentSession', description: 'The session of this request' }
)

export const SignedIn = closed(
  {
    user: ref(CurrentUser),
    session: ref(CurrentSession),
    scope: Type.Optional(ref(RightsInScope))
  },
  { $id: 'SignedIn', description: 'The signed-in user and their session' }
)

export const Reauthenticated = closed(
  { session: ref(CurrentSession) },
  { $id: 'Reauthenticated', description: 'The session after the user has authenticated again' }
)

export const SecondFactorDue = closed(
  {
    next: oneOf(['second-factor'] as const, { description: 'The step that completes the sign-in' }),
    methods: Type.Array(oneOf(factorMethods), {
      maxItems: factorMethods.length,
      description: 'Second factors that the user has'
    }),
    expiresAt: Timestamp('Time until which the sign-in can be completed')
  },
  {
    $id: 'SecondFactorDue',
    description: 'The password is right, but the user is not signed in before the second factor'
  }
)

/** Responses of a route that signs in, up to the second factor. */
export const signsIn = {
  200: ref(SignedIn, 'Signed in; Set-Cookie carries the session cookie', headers.setCookie),
  202: ref(
    SecondFactorDue,
    'A second factor is needed; Set-Cookie carries the login cookie',
    headers.setCookie
  )
}

export const Registered = closed(
  { user: ref(CurrentUser) },
  { $id: 'Registered', description: 'The new account; it is not signed in' }
)

const shown = {
  id: Id('Session id; not the secret in the cookie'),
  userId: Id('User id'),
  createdAt: Timestamp('Time of the sign-in'),
  lastSeenAt: Timestamp('Time of the last request, to the minute'),
  expiresAt: Timestamp('Time at which the session expires at the latest'),
  revokedAt: nullable(Timestamp('Time of the revocation')),
  revokeReason: nullable(oneOf(revokeReasons, { description: 'Reason for the revocation' })),
  assurance,
  ip: nullable(text(45, { description: 'IP address at sign-in', examples: ['203.0.113.7'] })),
  userAgent: nullable(
    text(256, { description: 'User agent at sign-in', examples: ['Mozilla/5.0'] })
  )
}

export const SessionState = oneOf(sessionStates, {
  description: '`active`: in use; `expired`: past its time; `revoked`: ended early'
})

export const Session = closed(
  {
    ...shown,
    user: userLabel('The user; null for callers without `users:read`')
  },
  { $id: 'Session', description: 'A session' }
)
export const SessionPage = pageOf('SessionPage', Session, 'A page of sessions')

/** @public a component of the API document */
export const OwnSession = closed(
  {
    ...shown,
    current: Type.Boolean({ description: 'Whether this is the session of the request' })
  },
  { $id: 'OwnSession', description: 'An active session of the current user' }
)
export const OwnSessionPage = pageOf(
  'OwnSessionPage',
  OwnSession,
  "A page of the current user's active sessions"
)
