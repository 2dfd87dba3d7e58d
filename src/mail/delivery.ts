import type { Db } from '../../db/engine.ts'
import { prepareMail } from '../domain/mail/preparation.ts'
import { isByStrangers } from '../domain/outbox/claim.ts'
import type { Deliver } from '../domain/outbox/worker.ts'
import type { Sealing } from '../domain/sealing.ts'
import type { Buckets } from '../domain/throttling/buckets.ts'
import { charge, findFull } from '../domain/throttling/throttles.ts'
import { renderMail } from './mails.ts'
import type { MailTransport } from './transport.ts'
import type { MailSettings } from './composer.ts'

interface Options {
  db: Db
  sealing: Sealing
  buckets: Buckets
  settings: MailSettings
  /** Undefined in development without a mail server: mails are kept, and not sent. */
  transport: MailTransport | undefined
}

/** Delivers rows of the outbox: decides what to send, writes it out, and sends it. */
export const createDelivery =
  ({ db, sealing, buckets, settings, transport }: Options): Deliver =>
  async (mail, signal) => {
    const prepared = await prepareMail(db, sealing, mail)
    if (!prepared) return { outcome: 'dropped' }
    if (!transport) return { outcome: 'caught' }
    const { to, reader, content } = prepared
    if (isByStrangers(content.kind)) {
      const bucket = buckets.mailByStrangers()
      if (!(await charge(db, [bucket]))) {
        const [full] = await findFull(db, [bucket])
        return { outcome: 'limited', seconds: full?.seconds ?? 0 }
      }
    }
    return transport.send({ id: mail.id, to, ...renderMail(content, to, reader, settings) }, signal)
  }
