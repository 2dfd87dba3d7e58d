import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { slack } from '../../db/transaction.ts'
import { buildApp } from '../../src/app.ts'
import { isValid } from '../../src/domain/tokens/tokens.ts'
import {
  aCaller,
  freshEmail,
  onPglite,
  ownApp,
  password,
  started,
  testDatabase,
  until
} from '../support/app.ts'
import { waitingForLocks } from '../support/locks.ts'
import { mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'
import { portOf } from '../support/raw-requests.ts'
import { testConfig } from '../support/test-config.ts'

/** Until the test ends, the time to answer is 0.45 s. */
function shorten(t: Test) {
  const { factor } = slack
  t.teardown(() => {
    slack.factor = factor
  })
  slack.factor = 0.03 // of 15 s
}

/** The number of tries of a link that were counted. */
async function triesOf({ db }: Awaited<ReturnType<typeof ownApp>>, token: string) {
  const where = isValid('confirm', token)
  return (await db.select({ tries: tokens.tries }).from(tokens).where(where))[0]?.tries
}

t.test('a change that takes too long ends with 503, with and without a body', async (t) => {
  const app = buildApp(testConfig(), { database: await testDatabase(t) })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let running = 0
  const config = { access: 'public' } as const
  app.register(async (scope) => {
    scope.route({
      method: ['POST', 'PUT', 'GET'],
      url: '/slow',
      config,
      schema: { hide: true, response: { 200: {} } },
      async handler() {
        running++
        await finished
        running--
        return { done: true }
      }
    })
  })
  await started(t, app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${portOf(app)}/slow`
  shorten(t)
  const json = { 'content-type': 'application/json' }
  const requests = {
    'POST with a body': { method: 'POST', headers: json, body: '{"some":"body"}' },
    'PUT with a body': { method: 'PUT', headers: json, body: '{"some":"body"}' },
    'POST without a body': { method: 'POST' }
  }
  for (const [name, request] of Object.entries(requests)) {
    const since = performance.now()
    const response = await fetch(url, request)
    const took = performance.now() - since
    t.same([response.status, response.headers.get('retry-after')], [503, '1'], name)
    t.match(await response.json(), { code: 'overloaded' }, name)
    t.ok(took >= 400, `${name}: ${took} ms`)
  }
  const read = fetch(url)
  await until(() => running === 4)
  finish()
  t.equal((await read).status, 200, 'reads have no such limit')
  await until(() => running === 0)
  t.equal((await fetch(url, { method: 'POST' })).status, 200, 'late results do no harm')
})

t.test(
  'a change that was answered with 503 because of its time is not stored afterwards',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const app = await ownApp(t)
    const other = await aCaller(app)
    await other.call('PUT', '/api/user/name', { name: 'Grace Hopper' }) // connections are open
    const { user, call } = await aCaller(app)
    const nameOf = async () =>
      (await app.db.select({ name: users.name }).from(users).where(eq(users.id, user.id)))[0]?.name
    const before = await nameOf()
    shorten(t)
    let renamed: ReturnType<typeof call> | undefined
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from users where id = ${user.id} for update`)
      renamed = call('PUT', '/api/user/name', { name: 'Ada King' })
      await until(async () => (await waitingForLocks(tx)) > 0)
      const response = await renamed
      t.equal(response.statusCode, 503)
      t.match(response.json(), { code: 'overloaded' })
    })
    await until(() => app.database.load() === 0)
    t.equal(await nameOf(), before)
  }
)

t.test(
  'a confirmation that was answered with 503 because of its time uses up none of the five tries',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const app = await ownApp(t, { EMAIL_VERIFICATION: 'required' })
    const mails = mailsOf(app)
    const email = freshEmail()
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    await post('/api/auth/register', { email, password, name: 'Ada Lovelace' })
    const token = await mails.token(email, 'confirm')
    t.equal((await post('/api/auth/confirm', { token, password: 'not this one' })).statusCode, 401)
    t.equal(await triesOf(app, token), 1)
    shorten(t)
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from registrations where email = ${email} for update`)
      t.equal((await post('/api/auth/confirm', { token, password })).statusCode, 503)
    })
    await until(() => app.database.load() === 0)
    t.equal(await triesOf(app, token), 1)
  }
)

t.test(
  'a confirmation with a provider that took too long uses up none of the tries either',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const acme = await startOidcProvider(t)
    const providers = [configured.oidc(acme)]
    const app = await ownApp(t, { EMAIL_VERIFICATION: 'required', providers })
    const mails = mailsOf(app)
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora')).problem, 'email-unverified')
    const email = 'nora.field@example.com'
    const token = await mails.token(email, 'confirm')
    const start = { key: 'acme', intent: 'confirm', token } as const
    const { url = '' } = await begin(app, browser.jar, start)
    const callback = await walk(url, 'nora')
    shorten(t)
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from registrations where email = ${email} for update`)
      t.equal((await comeBack(app, browser.jar, callback)).problem, 'overloaded')
      await until(async () => (await waitingForLocks(tx)) > 0)
    })
    await until(() => app.database.load() === 0)
    t.equal(await triesOf(app, token), 0)
    t.equal(await browser.me(), undefined)
  }
)

t.test(
  'a sign-in with a provider that takes too long leads back, and signs nobody in',
  async (t) => {
    const acme = await startOidcProvider(t)
    const app = await ownApp(t, { providers: [configured.oidc(acme, { trustsEmail: 'claim' })] })
    const browser = aBrowser(app)
    const { url = '' } = await begin(app, browser.jar, { key: 'acme' })
    const callback = await walk(url, 'nora')
    acme.trouble = (path) => (path === '/token' ? 'hang' : undefined)
    shorten(t)
    const since = performance.now()
    const { response, problem } = await comeBack(app, browser.jar, callback)
    t.equal(response.statusCode, 303)
    t.equal(problem, 'overloaded')
    t.ok(performance.now() - since < 4000, 'before the call of the provider ends')
    t.equal(await browser.me(), undefined)
  }
)
