import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../../../src/domain/activity/record.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import type { EventBody } from '../../../src/domain/webhooks/message.ts'
import { newSecret, sealSecret } from '../../../src/domain/webhooks/signature.ts'
import { createWebhookWorker } from '../../../src/domain/webhooks/worker.ts'
import { createSender } from '../../../src/outbound/sender.ts'
import { anonymous } from '../../support/app.ts'

export const sealing = createSealing([{ kid: 'test', secret: randomBytes(32) }])
export const sender = createSender({ development: true, networks: [] })
export const nowhere = 'http://127.0.0.1:1/'
/** Room for every delivery. */
export const room = { limit: 20, runsApp: false, resting: [], underWay: {} }

/** Makes all that waits due. */
export const makeDue = (db: Db) =>
  db
    .update(deliveries)
    .set({ nextAt: sql`now()` })
    .where(eq(deliveries.state, 'pending'))

export interface Message {
  id: string
  body: EventBody
  text: string
  headers: IncomingHttpHeaders
}

/** A server that keeps what arrives. `answer` says how it responds: 204 unless it does so itself. */
export async function aReceiver(
  t: Pick<Test, 'teardown'>,
  answer: (
    message: Message,
    response: ServerResponse
  ) => number | undefined | Promise<number> = () => 204
) {
  const messages: Message[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const text = Buffer.concat(parts).toString()
      const { headers } = request
      const message = {
        ...{ id: String(headers['webhook-id']), body: JSON.parse(text) as EventBody, text, headers }
      }
      messages.push(message)
      const status = await answer(message, response)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, messages }
}

/** An endpoint in the database, with its secret. */
export async function anEndpoint(
  db: Db,
  url: string | null,
  events: string[] = ['*'],
  changes: Partial<typeof webhookEndpoints.$inferInsert> = {}
) {
  const id = uuid()
  const secret = newSecret()
  const sealed = url === null ? null : sealSecret(sealing, id, secret)
  await db.insert(webhookEndpoints).values({ id, url, events, secret: sealed, ...changes })
  return { id, secret }
}

/** Records of an action that anybody may cause. */
export const happen = (db: Db, count = 1) =>
  transaction(db, async (tx) => {
    for (let i = 0; i < count; i++) {
      await record(tx, anonymous, 'auth.confirm-failed', { outcome: 'failure' })
    }
  })

export const endpointOf = async (db: Db, id: string) => {
  const [found] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  if (!found) throw new Error('no endpoint')
  return found
}

export const deliveriesTo = (db: Db, id: string) =>
  db.select().from(deliveries).where(eq(deliveries.endpointId, id)).orderBy(deliveries.createdAt)

type Options = Partial<Parameters<typeof createWebhookWorker>[0]> & { db: Db }

/** A worker that looks often, and ends with the test. */
export function startWorker(t: Pick<Test, 'teardown'>, options: Options) {
  const lines: string[] = []
  const log = (details: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(details)}`)
  }
  const worker = createWebhookWorker({
    ...{ sealing, sender, functions: undefined, isReady: () => true, interval: 10 },
    ...{ idleInterval: 10, log: { info: log, warn: log, error: log } },
    ...options
  })
  worker.start()
  t.teardown(() => worker.stop())
  return { worker, lines }
}

/** Whether a public library accepts a message. */
export function isSigned(secret: string, { text, headers }: Pick<Message, 'text' | 'headers'>) {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
