import { and, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { createOutboxWorker } from '../../src/domain/outbox/worker.ts'
import { createDelivery } from '../../src/mail/delivery.ts'
import { until } from '../support/app.ts'
import type { MailServer } from '../mail/server.ts'

/** A mail as its reader has it. */
interface Letter {
  /** Ids are in the order in which the mails were written. */
  id: string
  to: string
  subject: string
  text: string
  /** The account page that its link leads to, with the token. */
  page: string | undefined
  token: string | undefined
}

export interface Inbox {
  /** Every mail to these addresses, the oldest first, once none is on its way. */
  read(...addresses: string[]): Promise<Letter[]>
}

const letter = (id: string, to: string, subject: string, text: string): Letter => {
  const [, page, token] = /\/([\w-]+)\?token=(\S+)/.exec(text) ?? []
  return { id, to, subject, text, page, token }
}

/**
 * The mail of an application with MAIL_URL. The server takes what the application sends by itself;
 * everything else is delivered here, without the second between two looks into the outbox.
 */
export function openInbox(t: Test, app: FastifyInstance, server: MailServer): Inbox {
  const { services, db, log, mailSettings: settings } = app
  if (!services.mail) throw new Error('this application sends no mail')
  const { sealing } = services.mail
  const { buckets } = services
  const byAddress = new Map<string, Letter[]>()
  let taken = 0
  const keep = (mail: Letter) => {
    const key = mail.to.toLowerCase()
    byAddress.set(key, [...(byAddress.get(key) ?? []), mail])
  }
  const deliver = createDelivery({
    db,
    sealing,
    buckets,
    settings,
    transport: {
      async send({ id, to, subject, text }) {
        keep(letter(id, to, subject, text))
        return { outcome: 'sent' }
      },
      verify: async () => undefined,
      close: async () => {}
    }
  })
  const worker = createOutboxWorker({
    db,
    sealing,
    deliver,
    isReady: () => true,
    log,
    interval: 5
  })
  worker.start()
  t.teardown(() => worker.stop())
  return {
    async read(...addresses) {
      await until(async () => {
        // Questions about sign-ins that are not finished are due later.
        const isDue = or(isNotNull(outbox.lease), lte(outbox.nextAt, sql`now()`))
        return (await db.$count(outbox, and(eq(outbox.state, 'pending'), isDue))) === 0
      })
      for (; taken < server.mails.length; taken++) {
        const { to = [], mail } = server.mails[taken] ?? {}
        const [, id = ''] = /<(.+)@/.exec(mail?.messageId ?? '') ?? []
        for (const each of to) keep(letter(id, each, mail?.subject ?? '', mail?.text ?? ''))
      }
      return addresses
        .flatMap((address) => byAddress.get(address.toLowerCase()) ?? [])
        .sort((a, b) => (a.id < b.id ? -1 : 1))
    }
  }
}
