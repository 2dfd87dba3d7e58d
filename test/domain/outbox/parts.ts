import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Test } from 'tap'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { enqueue } from '../../../src/domain/outbox/enqueue.ts'
import type { NewMail, PreparedMail } from '../../../src/domain/outbox/enqueue.ts'
import { createOutboxWorker } from '../../../src/domain/mail/worker.ts'
import type { OutboxWorkerOptions } from '../../../src/domain/mail/worker.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import { loadTexts } from '../../../src/domain/mail/texts.ts'
import { budgetsOf } from '../../../src/config/budget-variables.ts'
import { createBuckets } from '../../../src/domain/throttling/buckets.ts'
import { budgets, noLimitsByAddress } from '../../support/test-config.ts'
import { captureLog } from '../../support/log-capture.ts'

export const secret = randomBytes(32)
export const sealing = createSealing([{ kid: 'test', secret }])

/** A mail with a link. */
export const aMail = (to: string, token = 'secret'): PreparedMail => ({
  to,
  reader: { locale: 'en' },
  content: { kind: 'recovery', token, expiresAt: '2030-01-01T00:00:00.000Z' }
})

export const enqueueMail = (db: Db, changes: Partial<NewMail> = {}) =>
  db.transaction((tx) =>
    enqueue(tx, sealing, {
      kind: 'recovery',
      payload: aMail('ada@example.com'),
      expiresIn: 3600,
      ...changes
    })
  )

export async function rowOf(db: Db, id: string) {
  const [row] = await db
    .select({
      state: outbox.state,
      attempts: outbox.attempts,
      lease: outbox.lease,
      lastError: outbox.lastError,
      payload: outbox.payload,
      recipient: outbox.recipient,
      doneAt: outbox.doneAt,
      /** Seconds until the next delivery is due. */
      due: sql<number>`extract(epoch from ${outbox.nextAt} - now())::float8`.mapWith(Number)
    })
    .from(outbox)
    .where(eq(outbox.id, id))
  if (!row) throw new Error(`no row ${id}`)
  return row
}

/** Makes a row due, as if its time had come or its lease had run out. */
export const makeDue = (db: Db, id: string) => change(db, id, { nextAt: sql`now()` })

export const change = (
  db: Db,
  id: string,
  values: Partial<Record<keyof typeof outbox.$inferInsert, SQL>>
) => db.update(outbox).set(values).where(eq(outbox.id, id))

export type Send = NonNullable<OutboxWorkerOptions['transport']>['send']

/** All that a worker needs to write mail, without a limit. */
export const mailing = {
  sealing,
  buckets: createBuckets(secret, budgetsOf({ ...budgets, ...noLimitsByAddress })),
  settings: {
    product: 'portal',
    accountUrl: 'https://app.example.com',
    locale: 'en',
    texts: loadTexts(),
    look: { accent: { fill: '#3b55d0', on: '#ffffff' } }
  }
}

/** A started worker and what it logs; stopped when the test ends, if not before. */
export function startWorker(
  t: Test,
  {
    send,
    ...options
  }: Pick<OutboxWorkerOptions, 'db'> & Partial<OutboxWorkerOptions> & { send: Send }
) {
  const { log, output } = captureLog()
  const worker = createOutboxWorker({
    ...mailing,
    transport: { send },
    isReady: () => true,
    log,
    interval: 20,
    grace: 0,
    ...options
  })
  worker.start()
  t.teardown(() => worker.stop())
  return { worker, output }
}
