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
import { portal } from '../cli/run.ts'
import { isHeaded, send, write } from '../browser/account-pages.ts'
import { startChromium } from '../browser/chromium.ts'
import { startMailServer } from '../mail/server.ts'
import { shared, startInstance } from '../resilience/instances.ts'
import { freshEmail, onPglite, password, testDatabaseUrl } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { built } from '../support/root.ts'

// Takes about 240 s

// Somebody registers 300 strangers from 300 sources, again and again for an hour and until everybody
// is done, while 200 people sign up with the client and 200 on the account pages in Chromium. All
// rates are sixty times those of production, so that the hour takes a minute.

const strangers = 300
const hour = 60_000
const people = 200
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
      const port = await freePort()
      const metricsPort = await freePort()
      const base = `http://localhost:${port}`
      const env = {
        ...limits,
        DATABASE_URL,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        PUBLIC_ORIGIN: base,
        ACCOUNT_PAGES: 'on',
        TRUST_PROXY: '127.0.0.1',
        MAIL_URL: mail.url,
        MAIL_FROM: 'portal@example.com',
        ACCOUNT_URL: `${base}/account`
      }
      const server = await startInstance(t, env)
      await server.ready()
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
        const client = createPortal({
          baseUrl: base,
          oneUser: true,
          fetch(request) {
            request.headers.set('x-forwarded-for', `203.0.113.${i}`)
            return fetch(request)
          }
        })
        const start = performance.now()
        await client.register({ email: freshEmail(), password, name: 'Somebody' })
        times.push(performance.now() - start)
        client.close()
      }
      const signUps = async () => {
        for (let i = 0; i < people; i++) await signUp(i)
      }
      const { open } = await startChromium(t)
      const page = await open(`${base}/account/register`)
      const pageTimes: number[] = []
      /** The requests of the slowest sign-up, with their milliseconds. */
      let slowestOnPage = ''
      const signUpOnPage = async (i: number) => {
        await page.setExtraHTTPHeaders({ 'x-forwarded-for': `192.0.2.${i}` })
        await page.goto(`${base}/account/register`)
        await write(page, 'Name', 'Somebody')
        await write(page, 'E-mail address', freshEmail())
        const start = performance.now()
        await send(page, 'Password', password, 'Create an account')
        await isHeaded(page, 'Check your mail')
        const took = performance.now() - start
        pageTimes.push(took)
        if (took === Math.max(...pageTimes)) {
          slowestOnPage = await page.evaluate(() =>
            performance
              .getEntriesByType('resource')
              .map((each) => `${each.name}: ${each.startTime} + ${each.duration}`)
              .join('\n')
          )
        }
      }
      const signUpsOnPage = async () => {
        for (let i = 0; i < people; i++) await signUpOnPage(i)
      }
      const slowestOf = (some: number[]) => Math.round(Math.max(...some))
      // Without a flood nothing is to be solved, so that each solves a challenge as well.
      await signUp(people)
      const solving = performance.now()
      await solve(proofs.issue(asked, 2 ** 18, new Date()))
      const calm = Math.round(performance.now() - solving + Math.max(...times.splice(0)))

      const began = performance.now()
      const done = new AbortController()
      const attack = async () => {
        let mails = 0
        for (let n = 0; !done.signal.aborted || performance.now() - began < hour; n += 10) {
          await flood(numbers(n, 10))
          if (performance.now() - began < hour) mails = toStrangers()
        }
        return mails
      }
      const everybody = Promise.all([signUpsOnPage(), signUps()]).finally(() => done.abort())
      const [mails] = await Promise.all([attack(), everybody])
      t.same([times.length, pageTimes.length], [people, people], 'no sign-up is refused')
      const slowest = slowestOf([...times, ...pageTimes])
      const later = [...times, ...pageTimes].filter((each) => each > patience.ms).length
      const figures =
        `the slowest of ${people} sign-ups took ${slowestOf(times)} ms with the client and ` +
        `${slowestOf(pageTimes)} ms in Chromium, ${later} of all more than ${patience.ms} ms; ` +
        `without a flood ${calm} ms`
      const isQuick = slowest < Math.max(patience.ms, patience.times * calm)
      t.ok(isQuick, `${figures}\n${slowestOnPage}`)
      t.ok(mails <= most, `${mails} mails to strangers`)
      t.ok(mails > 0, 'the flood has reached the mail server')
      t.comment(`${mails} mails to strangers; ${figures}`)
      const records = await db.$count(activity, eq(activity.action, 'auth.register-refused'))
      t.equal(records, 1, 'one record an hour')
      const { stdout } = await portal(['doctor', '--json'], { env: { ...shared, ...env } })
      const findings = JSON.parse(stdout) as { check: string; result: string; todo?: string }[]
      t.match(
        findings.find(({ check }) => check === 'registrations'),
        { result: 'warning', todo: /somebody-registers-strangers/ }
      )
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      t.match(metrics, /^portal_challenge_difficulty [1-9]/m)
      t.match(metrics, /^portal_confirmation_mails_confirmed 0$/m)
    }
  )
}
