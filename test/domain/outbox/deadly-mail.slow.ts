import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { eq, isNotNull, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { onPglite, testDatabaseUrl, until } from '../../support/app.ts'
import { change, enqueueMail, makeDue, rowOf, secret, startWorker } from './parts.ts'

const url = await testDatabaseUrl(t)
const database = await openDatabase(url, { poolMax: 5 })
t.teardown(() => database.close())
const { db } = database
t.beforeEach(async () => {
  await db.delete(outbox)
})

const inState = (state: 'sent' | 'pending' | 'dead') => db.$count(outbox, eq(outbox.state, state))
const enqueueMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => enqueueMail(db)))

/** Runs a worker until a mail kills it, or it has given one up. */
async function runDeadly(...deadly: string[]) {
  const script = path.join(import.meta.dirname, 'deadly-worker.js')
  const args = [script, url, secret.toString('base64url'), ...deadly]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { said, signal: signal as string | null }
}

t.test(
  'a mail that kills every worker is dead after its tenth victim',
  { skip: onPglite && 'several processes' },
  async (t) => {
    const id = await enqueueMail(db)
    t.same(await runDeadly(), { said: '', signal: 'SIGKILL' })
    t.match(await rowOf(db, id), { attempts: 1, lease: String, state: 'pending' })
    await change(db, id, { nextAt: sql`now()`, lastError: sql`'abandoned 8'` })
    t.same(await runDeadly(), { said: '', signal: 'SIGKILL' })
    t.match(await rowOf(db, id), { attempts: 2, lastError: 'abandoned 9' })
    await makeDue(db, id)
    t.match(await runDeadly(), { said: /not tried again/, signal: null })
    t.match(await rowOf(db, id), { state: 'dead', lastError: 'abandoned' })
  }
)

t.test(
  'a mail that kills its workers does not take its neighbours with it',
  { skip: onPglite && 'several processes' },
  async (t) => {
    const deadly = await enqueueMail(db)
    await enqueueMany(9)
    let signal: string | null = 'SIGKILL'
    for (let runs = 0; signal === 'SIGKILL' && runs < 6; runs++) {
      signal = (await runDeadly(deadly)).signal
      // All that died with it have lost many workers before.
      if (runs === 0) {
        await db
          .update(outbox)
          .set({ lastError: sql`'abandoned 7'` })
          .where(isNotNull(outbox.lease))
      }
      // The leases of the dead worker run out.
      await db.update(outbox).set({ nextAt: sql`now()` })
    }
    t.match(await rowOf(db, deadly), { state: 'dead', lastError: 'abandoned' })
    t.equal(await inState('dead'), 1)
    // The last of those workers ended with the deadly mail, before it had delivered all others.
    await db
      .update(outbox)
      .set({ nextAt: sql`now()` })
      .where(eq(outbox.state, 'pending'))
    startWorker(t, { db, send: async () => ({ outcome: 'sent' }) })
    await until(async () => (await inState('sent')) === 9)
  }
)
