import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { createProofs } from '../../src/domain/guard/proofs.ts'
import { createPortal } from '../../src/client/portal.ts'
import { solve } from '../../src/client/proof.ts'
import { startMailServer } from '../mail/server.ts'
import { startInstance } from '../resilience/instances.ts'
import { freshEmail, onPglite, password, testDatabaseUrl } from '../support/app.ts'
import { built } from '../support/root.ts'

// Takes about 120 s

// Somebody registers 300 strangers from 300 sources, again and again for an hour, while 200 people
// sign up with the client. All rates are sixty times those of production, so that the hour takes a
// minute.

const strangers = 300
const hour = 60_000
const people = 200
/** People at a time. */
const lines = 3
/** Milliseconds of a sign-up, or as many times those of one without a flood on a busy machine. */
const patience = { ms: 2000, times: 4 }
const proofs = createProofs([randomBytes(32)])
const asked = { purpose: 'registration', email: 'ada@example.com' } as const
const limits = {
  THROTTLE_REGISTER: '20/1',
  THROTTLE_MAIL_ADDRESS: '3/20',
  THROTTLE_MAIL_SOURCE: '20/1',
  THROTTLE_MAIL_TOTAL: '600/0.017',
  THROTTLE_MAIL_UNPROVED: '20/3',
  THROTTLE_MAIL_UNCONFIRMED: '1/1'
}

for (const [who, most] of [
  ['a script that solves nothing', 40],
  ['a script that solves every challenge', 160]
] as const) {
  t.test(
    `${who} causes at most ${most} mails in an hour, and nobody else waits or is refused`,
    { skip: onPglite && 'the server has the database' },
    async (t) => {
      const DATABASE_URL = await testDatabaseUrl(t)
      const { db, close } = await openDatabase(DATABASE_URL)
      t.teardown(close)
      const mail = await startMailServer(t)
      const server = await startInstance(t, {
        ...limits,
        DATABASE_URL,
        TRUST_PROXY: '127.0.0.1',
        MAIL_URL: mail.url,
        MAIL_FROM: 'portal@example.com',
        ACCOUNT_URL: 'http://localhost:3000/account'
      })
      const { base } = await server.ready()
      const sent = (to: RegExp) => mail.mails.filter((each) => to.test(each.to[0] ?? '')).length
      const toStrangers = () => sent(/foreign\.example/)

      const source = new Worker(path.join(built, 'test/client/flood-source.js'), {
        workerData: { base, solves: most === 160 }
      })
      t.teardown(() => source.terminate())
      const flood = async (numbers: number[]) => {
        source.postMessage(numbers)
        await once(source, 'message')
      }
      const numbers = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => (from + i) % strangers)

      const times: number[] = []
      const signUp = async (i: number) => {
        const portal = createPortal({
          baseUrl: base,
          oneUser: true,
          fetch(request) {
            request.headers.set('x-forwarded-for', `203.0.113.${i}`)
            return fetch(request)
          }
        })
        const start = performance.now()
        await portal.register({ email: freshEmail(), password, name: 'Somebody' })
        times.push(performance.now() - start)
        portal.close()
      }
      const signUps = async (line: number) => {
        for (let i = line; i < people; i += lines) await signUp(i)
      }
      const slowestOf = (some: number[]) => Math.round(Math.max(...some))
      // Without a flood nothing is to be solved, so that each solves a challenge as well.
      const calmly = async (_: unknown, line: number) => {
        await signUp(people + line)
        const start = performance.now()
        await solve(proofs.issue(asked, 2 ** 18, new Date()))
        return performance.now() - start
      }
      const solving = await Promise.all(Array.from({ length: lines }, calmly))
      const calm = slowestOf(times.splice(0)) + slowestOf(solving)

      const began = performance.now()
      const attack = async () => {
        for (let n = 0; performance.now() - began < hour; n += 10) await flood(numbers(n, 10))
        return toStrangers()
      }
      const queues = Array.from({ length: lines }, (_, line) => signUps(line))
      const [mails] = await Promise.all([attack(), ...queues])
      t.equal(times.length, people, 'no sign-up is refused')
      const slowest = slowestOf(times)
      const figures = `the slowest of ${people} sign-ups took ${slowest} ms, without a flood ${calm} ms`
      t.ok(slowest < Math.max(patience.ms, patience.times * calm), figures)
      t.ok(mails <= most, `${mails} mails to strangers`)
      t.ok(mails > 0, 'the flood has reached the mail server')
      t.comment(`${mails} mails to strangers; ${figures}`)
      const records = await db.$count(activity, eq(activity.action, 'auth.register-refused'))
      t.equal(records, 1, 'one record an hour')
    }
  )
}
