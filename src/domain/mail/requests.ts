import type { Db } from '../../../db/engine.ts'
import type { Actor } from '../actor.ts'
import { enqueue } from '../outbox/enqueue.ts'
import type { Origin } from '../outbox/payload.ts'
import { hours } from './sending.ts'
import type { MailService } from './sending.ts'

// Mail requested without signing in. The request writes the same row whether an account exists or
// not, so that neither its response nor its duration reveals it. The worker decides what to send.

/** Seconds after which a registration, and the link of a recovery, expire. */
export const expiry = { registration: hours(24), recovery: hours(0.5) }

const originOf = ({ ip, userAgent, requestId }: Actor): Origin => ({ ip, userAgent, requestId })

export const requestConfirmation = (
  tx: Db,
  { sealing }: MailService,
  actor: Actor,
  registrationId: string
) =>
  enqueue(tx, sealing, {
    kind: 'confirm',
    payload: { request: 'registration', registrationId, origin: originOf(actor) },
    expiresIn: expiry.registration
  })

export const requestRecoveryMail = (
  tx: Db,
  { sealing }: MailService,
  actor: Actor,
  emailNormalized: string
) =>
  enqueue(tx, sealing, {
    kind: 'recovery',
    payload: { request: 'recovery', emailNormalized, origin: originOf(actor) },
    expiresIn: expiry.recovery
  })
