import type { Database } from '../../db/client.ts'
import type { SignedInActor } from '../../src/domain/actor.ts'
import { anonymous, password, servicesOf } from './app.ts'
import { signIn, tokenHashOf } from './sign-in.ts'

/** A user with a session as the actor of a change. */
export async function actorOf(
  database: Database,
  user: { id: string; email: string }
): Promise<SignedInActor> {
  const { session, secret } = await signIn(servicesOf(database), anonymous, {
    email: user.email,
    password,
    presented: []
  })
  const tokenHash = tokenHashOf({ secret })
  return { type: 'user', source: 'api', id: user.id, sessionId: session.id, tokenHash }
}
