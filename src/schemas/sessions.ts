import { Type } from '@sinclair/typebox'
import { revokeReasons, sessionStates } from '../../db/schema/sessions.ts'
import { pageOf } from './lists.ts'
import { closed, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { CurrentUser } from './users.ts'

export const CurrentSession = closed(
  {
    id: Id('For listing and ending it; not the secret in the cookie'),
    createdAt: Timestamp('When the user signed in'),
    expiresAt: Timestamp('When it ends at the latest'),
    idleExpiresAt: Timestamp('When it ends if no further request comes')
  },
  { $id: 'CurrentSession', description: 'The session of this request' }
)

export const SignedIn = closed(
  {
    user: ref(CurrentUser),
    session: ref(CurrentSession)
  },
  { $id: 'SignedIn', description: 'Who is signed in, and until when' }
)

export const Registered = closed(
  {
    user: ref(CurrentUser)
  },
  { $id: 'Registered', description: 'The new account; nobody is signed in' }
)

const shown = {
  id: Id('For ending it; not the secret in the cookie'),
  userId: Id('Whose it is'),
  createdAt: Timestamp('When the user signed in'),
  lastSeenAt: Timestamp('When it was last used, to the minute'),
  expiresAt: Timestamp('When it ends at the latest'),
  revokedAt: nullable(Timestamp('When it was ended')),
  revokeReason: Type.Unsafe<(typeof revokeReasons)[number] | null>({
    type: ['string', 'null'],
    enum: [...revokeReasons, null],
    description: 'What ended it'
  }),
  ip: nullable(
    text(45, { description: 'From where the user signed in', examples: ['203.0.113.7'] })
  ),
  userAgent: nullable(
    text(256, { description: 'What the user signed in with', examples: ['Mozilla/5.0'] })
  )
}

export const SessionState = oneOf(sessionStates, { description: 'Live, over its time, or ended' })

export const Session = closed(shown, { $id: 'Session', description: 'A session' })
export const SessionPage = pageOf('SessionPage', Session, 'A page of sessions')

export const OwnSession = closed(
  {
    ...shown,
    current: Type.Boolean({ description: 'Whether it is the session of this request' })
  },
  { $id: 'OwnSession', description: "One of one's own live sessions" }
)
export const OwnSessionPage = pageOf(
  'OwnSessionPage',
  OwnSession,
  "A page of one's own live sessions"
)
