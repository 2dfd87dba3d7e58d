import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { captureLog } from '../support/log-capture.ts'
import { portal } from '../cli/run.ts'
import {
  aCaller,
  cookieOf,
  freshEmail,
  password,
  ownApp,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { leaksIn, storedText } from '../support/leaks.ts'
import { startMailServer } from '../mail/server.ts'
import { deliverAtOnce, tokenIn } from '../support/mails.ts'
import { freePort } from '../support/postgres.ts'

// A link is for its reader alone: the token is in the mail and, sealed, in the outbox.

const server = await startMailServer(t)
const { log, output } = captureLog('trace')
const url = await testDatabaseUrl(t)
const METRICS_PORT = await freePort()
const app = await ownApp(
  t,
  {
    EMAIL_VERIFICATION: 'required',
    MAIL_URL: server.url,
    MAIL_FROM: 'portal@example.com',
    METRICS_PORT
  },
  await openDatabase(url, { poolMax: 5 }),
  log
)
deliverAtOnce(t, app)
const { db } = app

const bodies: string[] = []
const tokens = new Set<string>()
const newPassword = 'a better horse battery'
type Method = 'GET' | 'POST' | 'PUT'
async function call(method: Method, path: string, payload?: object | string, cookie = '') {
  const response = await app.inject({
    method,
    url: path,
    headers: { cookie, ...(payload !== undefined && { 'content-type': 'application/json' }) },
    ...(payload !== undefined && { payload })
  })
  bodies.push(response.body, JSON.stringify({ ...response.headers, 'set-cookie': undefined }))
  return response
}
const post = (path: string, payload?: object | string, cookie = '') =>
  call('POST', path, payload, cookie)
/** The token of the next mail, which is remembered. */
async function next() {
  const mails = await server.received(tokens.size + withoutToken + 1)
  const token = tokenIn(mails.at(-1)?.mail.text)
  tokens.add(token)
  return token
}
let withoutToken = 0
const notice = async () => {
  withoutToken++
  await server.received(tokens.size + withoutToken)
}

const unknown = freshEmail()
const [email, later, refused, waiting] = [freshEmail(), freshEmail(), freshEmail(), freshEmail()]
const register = (to: string) =>
  post('/api/auth/register', { email: to, password, name: 'Ada Lovelace' })
const isUnderWay = sql`state = 'pending' and (attempts = 0 or lease is not null)`
const settled = (state: (typeof outbox.$inferSelect)['state'], count: number) =>
  until(async () => (await db.$count(outbox, eq(outbox.state, state))) >= count)

/** Uses a token everywhere and in every wrong way before it is used well. */
async function misuse(token: string, cookie = '') {
  for (const path of [
    '/api/auth/confirm',
    '/api/auth/recovery/confirm',
    '/api/auth/email/revert',
    '/api/user/email/confirm'
  ]) {
    await call('GET', `${path}?token=${token}`, undefined, cookie)
    await post(`${path}?token=${token}`, { token: [token], [token]: token }, cookie)
    await post(path, `{"token": "${token}`, cookie)
    await post(path, { token: `${token}\0`, password, newPassword }, cookie)
    await post(path, { token, password: 'not this one' }, cookie)
    await post(path, { token, newPassword: 'short' }, cookie)
  }
}

// Every kind of link: misused, then used.
await register(email)
const confirm = await next()
await misuse(confirm)
const cookie = cookieOf(await post('/api/auth/confirm', { token: confirm, password }))
await post('/api/auth/recovery', { email })
const recovery = await next()
await misuse(recovery)
await call('PUT', '/api/user/email', { email: later, currentPassword: password }, cookie)
const change = await next()
await misuse(change)
await post('/api/user/email/confirm', { token: change }, cookie)
const revert = await next()
await misuse(revert, cookie)
await post('/api/auth/email/revert', { token: revert, newPassword })
await notice()
await post('/api/auth/recovery', { email: unknown })
await settled('dropped', 1)
await settled('sent', 5)

// Mails that are refused for good and for now, and what is not expected at all.
server.play = (stage) => (stage === 'rcpt' ? 550 : undefined)
await register(refused)
await settled('dead', 1)
server.play = (stage) => (stage === 'kept' ? 451 : undefined)
await register(waiting)
const held = await next()
await until(async () => (await db.$count(outbox, eq(outbox.lastError, 'smtp 451'))) === 1)
for (const table of ['tokens', 'activity', 'registrations']) {
  const name = sql.identifier(table)
  await db.execute(sql`alter table ${name} rename to elsewhere`)
  await post('/api/auth/confirm', { token: held, password })
  await post('/api/auth/recovery/confirm', { token: held, newPassword })
  await post('/api/auth/recovery', { email: unknown })
  await register(freshEmail())
  await until(async () => (await db.$count(outbox, isUnderWay)) === 0)
  await db.execute(sql`alter table elsewhere rename to ${name}`)
}

const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
const dump = await storedText(db)

t.test('the run had links of every purpose, and mails in every state', async (t) => {
  t.equal(tokens.size, 5)
  for (const token of tokens) t.match(token, /^[\w-]{43}$/)
  const states = await db.selectDistinct({ state: outbox.state }).from(outbox)
  t.same(states.map(({ state }) => state).sort(), ['dead', 'dropped', 'pending', 'sent'])
  t.ok(bodies.length > 200)
})

t.test('no row of the database contains a token', async (t) => {
  t.match(dump, /auth\.recovery-request/)
  t.same(leaksIn(dump, tokens), [])
  t.same(leaksIn(dump, [unknown]), [], 'nor an address that has no account')
})

t.test('no log line at any level contains a token or the address of a mail', async (t) => {
  t.match(output(), 'request failed')
  t.match(output(), 'mail not delivered')
  t.match(output(), 'delivery failed', 'the unforeseen is among them')
  t.same(leaksIn(output(), tokens), [])
  t.same(leaksIn(output(), [email, later, refused, waiting, unknown]), [])
})

t.test('no response contains a token', async (t) => {
  t.same(leaksIn(bodies.join('\n'), tokens), [])
  const document = (await app.inject('/openapi.json')).body
  t.match(document, 'LinkToken')
  t.same(leaksIn(document, tokens), [])
})

t.test('no metric contains a token or an address', async (t) => {
  t.match(metrics, 'portal_outbox_deliveries_total')
  t.same(leaksIn(metrics, tokens), [])
  t.notMatch(metrics, '@')
})

t.test('the lists of mail contain no token, and only addresses of accounts', async (t) => {
  const { call: administer } = await aCaller(await confirmable(), 'admin')
  const list = await administer('GET', '/api/admin/outbox?limit=100')
  const printed = await portal(['mail', 'list', '--all', '--json'], { env: { DATABASE_URL: url } })
  const table = await portal(['mail', 'list', '--all'], { env: { DATABASE_URL: url } })
  t.equal(list.statusCode, 200)
  t.same([printed.code, table.code], [0, 0], printed.stderr)
  for (const text of [list.body, printed.stdout, printed.stderr, table.stdout]) {
    t.same(leaksIn(text, tokens), [])
    t.same(leaksIn(text, [later, refused, waiting, unknown]), [])
  }
  t.match(printed.stdout, email, 'the address of the account')
})

/** An application on this database in which an administrator can sign in unconfirmed. */
async function confirmable() {
  return ownApp(t, { EMAIL_VERIFICATION: 'off' }, await openDatabase(url, { poolMax: 2 }))
}
