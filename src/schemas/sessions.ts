import { Type } from '@sinclair/typebox'
import { Id, ref, Timestamp } from './primitives.ts'
import { CurrentUser } from './users.ts'

export const CurrentSession = Type.Object({
  id: Id('For listing and ending it; not the secret in the cookie'),
  createdAt: Timestamp('When the user signed in'),
  expiresAt: Timestamp('When it ends at the latest'),
  idleExpiresAt: Timestamp('When it ends if no further request comes')
}, { $id: 'CurrentSession', additionalProperties: false, description: 'The session of this request' })

export const SignedIn = Type.Object({
  user: ref(CurrentUser),
  session: ref(CurrentSession)
}, { $id: 'SignedIn', additionalProperties: false, description: 'Who is signed in, and until when' })

export const Registered = Type.Object({
  user: ref(CurrentUser)
}, { $id: 'Registered', additionalProperties: false, description: 'The new account; nobody is signed in' })
