import { and, asc, eq, gte, not, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Database } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { transportOf } from '../../src/config/mail-services.ts'
import { isEarly } from '../../src/domain/outbox/claim.ts'
import { isRequest, kindOf, openPayload } from '../../src/domain/outbox/enqueue.ts'
import type { MailContent, OwnContent } from '../../src/domain/outbox/enqueue.ts'
import { createOutboxWorker } from '../../src/domain/mail/worker.ts'
import { renderMail } from '../../src/domain/mail/letters.ts'
import { newCaller, until } from './app.ts'
import { sharedSince } from './shared-apps.ts'

export type MailKind = Exclude<MailContent, OwnContent>['kind']

/** A mail that was caught instead of sent, as its reader would see it. */
export interface DevMail {
  id: string
  kind: string
  to: string
  subject: string
  text: string
  html: string
}

/** A worker like that of the application, but without the second between two looks into the outbox. */
function quickWorker({ config, db, log, context, mailSettings: settings }: FastifyInstance) {
  if (!context.mail) throw new Error('this application sends no mail')
  const { sealing } = context.mail
  const transport = transportOf(config)
  const { buckets } = context
  const isReady = () => true
  const pace = { interval: 50, pause: 50 }
  const worker = createOutboxWorker({
    ...{ db, sealing, buckets, settings, transport, isReady, log },
    ...pace
  })
  worker.start()
  return async () => {
    await worker.stop()
    await transport?.close()
  }
}

/** Delivers mail at once until the test ends, as does the application: whichever comes first. */
export function deliverAtOnce(t: Test, app: FastifyInstance) {
  t.teardown(quickWorker(app))
}

/**
 * The mails of an application without MAIL_URL, which keeps them. Of a shared one, those since the
 * test got it.
 */
export function mailsOf(app: FastifyInstance) {
  const { db, context, mailSettings: settings } = app
  const sealing = context.mail?.sealing
  const since = sharedSince(app)
  const isOwn = since && gte(outbox.createdAt, since)

  // Not questions that are answered in some minutes.
  const isWaiting = and(isOwn, eq(outbox.state, 'pending'), not(isEarly))
  /** Whether every mail is delivered. */
  async function isDone() {
    // At the level `serializable` even a read can meet the worker.
    const pending = await transaction(db, (tx) => tx.select().from(outbox).where(isWaiting))
    const failed = pending.find(({ lease, lastError }) => lease === null && lastError !== null)
    if (failed) throw new Error(`a mail ${failed.kind} failed: ${failed.lastError}`)
    return pending.length === 0
  }

  /** Every row, oldest first, once none of them waits for delivery. */
  async function rows() {
    if (!(await isDone())) {
      const stop = quickWorker(app)
      await until(isDone).finally(stop)
    }
    return db.select().from(outbox).where(isOwn).orderBy(asc(outbox.id))
  }

  /** Every mail to an address, oldest first, in any spelling of its letters. */
  async function to(address: string): Promise<DevMail[]> {
    const caught = (await rows()).filter(({ state }) => state === 'caught')
    return caught.flatMap(({ id, payload }) => {
      const mail = sealing && openPayload(sealing, id, payload)
      if (!mail || isRequest(mail)) return []
      if (mail.to.toLowerCase() !== address.toLowerCase()) return []
      const { content, reader } = mail
      return [
        {
          id,
          kind: kindOf(content),
          to: mail.to,
          ...renderMail(content, mail.to, reader, settings)
        }
      ]
    })
  }

  /** The newest mail of a kind to an address. */
  async function newest(address: string, kind: string): Promise<DevMail> {
    const all = await to(address)
    const found = all.findLast((mail) => mail.kind === kind)
    if (!found) throw new Error(`no mail ${kind}, but ${all.map((mail) => mail.kind).join()}`)
    return found
  }

  return {
    rows,
    to,
    newest,
    kindsTo: async (address: string) => (await to(address)).map(({ kind }) => kind),
    /** The token in the link of the newest mail of a kind. */
    token: async (address: string, kind: MailKind) => tokenIn((await newest(address, kind)).text)
  }
}

/** The token of the only link in the text of a mail that has one. */
export function tokenIn(text: string | undefined): string {
  const [token, ...others] = [...(text ?? '').matchAll(/\?token=([\w-]+)/g)].map(
    ([, found]) => found
  )
  if (!token || others.length > 0) throw new Error('not one link with a token')
  return token
}

/** Marks the address of a user as confirmed, as it is after most of the flows. */
export async function confirmed<User extends { id: string }>({ db }: Database, user: User) {
  await db
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, user.id))
  return user
}

/** Like aCaller, with a confirmed address. */
export const aConfirmedCaller = async (app: FastifyInstance, ...roles: string[]) =>
  newCaller(app, { roles, confirmed: true })

/** Everything that a client can see of a response, except what differs for each request. */
export function visible(response: {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}) {
  const { 'x-request-id': id, date, ...headers } = response.headers
  return {
    status: response.statusCode,
    headers,
    body: response.body.replaceAll(String(id), 'request-id')
  }
}
