import { transaction } from '../../../db/transaction.ts'
import { asUser, record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { throttled } from '../throttling/admission.ts'
import { requireEmail } from '../users/emails.ts'
import { checkAll } from '../domain-error.ts'
import { emailTaken, registrationClosed } from '../errors.ts'
import { cleanName } from '../users/texts.ts'
import { findCurrentUser, insertUser } from '../users/users.ts'
import type { Services } from './services.ts'

/**
 * Creates an account with the role `user` without signing in. The hash is computed before the
 * e-mail address is looked up, so that a registered address takes the same time. Throws
 * `registration-closed`, `email-taken`, `rate-limited`, `overloaded`, and refusals that name a
 * field.
 */
export async function registerUser(
  services: Services,
  actor: Actor,
  input: { email: string; password: string; name: string }
) {
  const { db, passwords, buckets, registration } = services
  if (registration === 'closed') throw registrationClosed()
  const [emailNormalized, name] = await checkAll(
    () => requireEmail(input.email),
    () => cleanName(input.name),
    () => passwords.check(input.password, 'password', input)
  )
  passwords.assertRoom() // under load a rejected registration must not query the database
  const counted = {
    wanted: buckets.register(actor.ip),
    findUser: async () => undefined,
    arrived: performance.now()
  }
  const user = await throttled(services, counted, async (_, requireTime) => {
    const passwordHash = await passwords.hash(input.password)
    requireTime()
    return transaction(db, async (tx) => {
      const id = await insertUser(tx, { email: input.email, emailNormalized, name, passwordHash }, [
        'user'
      ])
      const made = id && (await findCurrentUser(tx, id))
      if (made) {
        await record(tx, asUser(actor, made), 'auth.register', {
          target: { type: 'user', id: made.id }
        })
      } else {
        await record(tx, actor, 'auth.register', {
          outcome: 'failure',
          reason: 'email-taken',
          details: { email: input.email }
        })
      }
      return made
    })
  })
  if (!user) throw emailTaken()
  return user
}
