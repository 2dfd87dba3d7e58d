import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { portal, portalProcess } from '../cli/run.ts'
import { cookieOf, freshEmail, password, until } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { leaksIn, storedText } from '../support/leaks.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { hasProcessList, processesDuring } from '../support/process-list.ts'
import * as factors from '../support/second-factors.ts'
import { aPortalWithSecrets } from './secrets.ts'

// Secrets pass through everything that the portal does, and then no output contains one of them.

const world = await aPortalWithSecrets(t)
const { app, call, post, keep, leaked, mailServer } = world
const { misuse, go, codes, acme, tokenFor, without } = world
/** Passwords and more contain it. */
const canary = randomBytes(12).toString('base64url')
keep('password', canary)
const [first, second, third] = [1, 2, 3].map((n) => `password ${n} ${canary}`) as Texts
const [email, later, refused, waiting, unknown] = Array.from({ length: 5 }, freshEmail) as Texts
type Texts = [string, string, string, string, string]

const register = (email: string, password: unknown = first, more: object = {}) =>
  post('/api/auth/register', { email, password, name: 'Ada', ...more })
const login = (email: string, password: string, cookie?: string) =>
  post('/api/auth/login', { email, password }, cookie)
const settled = (state: (typeof outbox.$inferSelect)['state']) =>
  until(async () => (await app.db.$count(outbox, eq(outbox.state, state))) > 0)

// Accounts: an address is confirmed, passwords and addresses change, and links go by mail.
await register(email)
const confirm = await tokenFor(email)
await misuse(confirm)
await post('/api/auth/confirm', { token: confirm, password: first })
await register(email)
await register(first)
await register(freshEmail(), [first], { [canary]: canary })
await register(freshEmail(), `${first}\0`)
await post('/api/auth/register', `{"password": "${first}`)
await login(email, `${first} wrong`)
await login(unknown, first)
await login(email, `${first}${'x'.repeat(600)}`)
await call('GET', `/api/auth/me?token=${canary}`, undefined, {
  authorization: `Bearer ${canary}`,
  'x-api-key': canary,
  cookie: `portal_session=${canary}; portal_device=${canary}`,
  referer: `https://app.example/?${canary}`,
  'user-agent': 'known'
})
await call('GET', `/api/auth/me/%zz${canary}`)
await post('/ofrep/v1/evaluate/flags', { context: { targetingKey: canary, password: first } })

const signedIn = cookieOf(await login(email, first))
let cookie = cookieOf(await login(email, first, signedIn))
await call('GET', '/api/auth/me', undefined, { cookie })
const change = (currentPassword: string, newPassword: string) =>
  call('PUT', '/api/user/password', { currentPassword, newPassword }, { cookie })
await change(`${first} wrong`, second)
await change(first, canary.slice(0, 7))
cookie = cookieOf(await change(first, second))
await post('/api/auth/recovery', { email })
await misuse(await tokenFor(email))
for (const currentPassword of [first, second]) {
  await call('PUT', '/api/user/email', { email: later, currentPassword }, { cookie })
}
const changed = await tokenFor(later)
await misuse(changed)
await post('/api/user/email/confirm', { token: changed }, cookie)
const revert = await tokenFor(email)
await misuse(revert, cookie)
for (const path of ['sessions', 'activity', 'profile']) {
  await call('GET', `/api/user/${path}`, undefined, { cookie })
}
await post('/api/auth/email/revert', { token: revert, newPassword: third })
await post('/api/auth/recovery', { email: unknown })
await settled('dropped')
cookie = cookieOf(await login(email, third))
await post('/api/user/deletion', { currentPassword: first }, cookie)

const admin = await aConfirmedCaller(app, 'admin')
world.keepCookie(admin.cookie)
const eve = { email: freshEmail(), name: 'Eve', password: first }
const made = (await admin.call('POST', '/api/admin/users', eve)).json() as { id: string }
for (const password of [second, canary.slice(0, 7)]) {
  await admin.call('PUT', `/api/admin/users/${made.id}/password`, { password })
}
for (const path of ['users', 'sessions', 'activity', `users?q=${canary}`]) {
  await admin.call('GET', `/api/admin/${path}`)
}

// Mails that are refused for good and for now.
mailServer.play = (stage) => (stage === 'rcpt' ? 550 : undefined)
await register(refused)
await settled('dead')
mailServer.play = (stage) => (stage === 'kept' ? 451 : undefined)
await register(waiting)
const held = await tokenFor(waiting)
await until(async () => (await app.db.$count(outbox, eq(outbox.lastError, 'smtp 451'))) === 1)
mailServer.play = () => undefined

// Second factors: an app is used and replaced.
const { owner, asOwner, recoveryCode } = await world.useFactors()

// API keys: of a user, of a service, of another network, and a revoked one.
const apiKeys = await world.useKeys(admin)

// Settings: one is stored, and then refused for several reasons.
const setting = 'setting-4711'
keep('setting', setting)
const settings = '/api/user/settings'
await admin.call('PATCH', settings, { note: setting })
const refusals = [
  await admin.call('PATCH', settings, { startPage: setting }),
  await admin.call('PATCH', settings, { [setting]: setting }),
  await admin.call('PUT', settings, { note: `${setting}\0` }),
  await admin.call('PATCH', `/api/admin/users/${admin.user.id}/app-settings`, { plan: setting }),
  await admin.call('PATCH', settings, { note: setting }, { 'if-match': '"7"' })
].map(({ statusCode }) => statusCode)

// Providers: people come back, and providers fail in several ways.
acme.alter.tokenResponse = (body) => {
  for (const name of ['access_token', 'id_token']) keep('token of a provider', String(body[name]))
  return { ...body, refresh_token: canary }
}
const problems = [
  await go('nora'),
  await go('tom'),
  await go('nora', (params) => {
    params.delete('code')
    params.set('error', 'server_error')
    params.set('error_description', canary)
  })
]
acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, aud: canary } })
problems.push(await go('nora'))
acme.trouble = (path) => (path === '/token' ? 500 : undefined)
problems.push(await go('nora'))

// Unexpected errors, whose statements have secrets as parameters.
const leaver = await aConfirmedCaller(app)
world.keepCookie(leaver.cookie)
await without('activity', async () => {
  await login(email, third)
  await leaver.call('POST', '/api/auth/logout')
})
await without('api_keys', async () => {
  for (const secret of apiKeys) await keyCaller(app, secret).me()
})
for (const table of ['tokens', 'activity', 'registrations']) {
  await without(table, async () => {
    await post('/api/auth/confirm', { token: held, password: first })
    await post('/api/auth/recovery/confirm', { token: held, newPassword: second })
    await post('/api/auth/recovery', { email: unknown })
    await register(freshEmail())
  })
}
for (const table of ['recovery_codes', 'activity', 'totp', 'pending_logins']) {
  await without(table, async () => {
    const half = factors.cookieSet(await login(owner.email, password), 'login')
    if (half) await factors.verify(app, half, { recoveryCode })
    for (const path of ['totp', 'recovery-codes']) {
      const begun = await asOwner('POST', `/api/user/${path}`)
      const { secret } = begun.json() as { secret?: string }
      if (secret) keep('app', secret)
    }
  })
}
await asOwner('PUT', '/api/user/second-factor', { required: false })
await asOwner('DELETE', '/api/user/totp')
await leaver.call('POST', '/api/auth/logout')
await until(async () => (await app.db.$count(activity, eq(activity.action, 'key.use'))) > 0)

// The command line prints a key on stdout alone, and takes none as an argument.
const env = { DATABASE_URL: world.url }
await portal(['service', 'create', 'job', '--name', 'Job'], { env })
let printed = { code: null as number | null, stdout: '', stderr: '' }
const create = async () => {
  printed = await portalProcess(['key', 'create', '--service', 'job'], { env })
}
const processes = hasProcessList ? await processesDuring(create) : (await create(), [])
world.keepKey(printed.stdout.trim())
const lists = await Promise.all(
  [
    ['mail', 'list', '--all', '--json'],
    ['mail', 'list', '--all'],
    ['key', 'list', '--all', '--json'],
    ['activity', 'list', '--all', '--json']
  ].map((args) => portal(args, { env }))
)
const ofMail = await admin.call('GET', '/api/admin/outbox?limit=100')
const metrics = await (await fetch(`http://127.0.0.1:${world.metricsPort}/metrics`)).text()

const kinds = [
  ...['API key', 'app', 'client secret', 'code of a provider', 'cookie', 'link', 'nonce'],
  ...['password', 'recovery code', 'secret key', 'session', 'setting', 'state'],
  'token of a provider'
]

t.test('the run used every kind of secret in every way', async (t) => {
  const names = [...world.secrets.values()]
  t.same([...new Set(names)].sort(), kinds)
  t.equal(names.filter((name) => name === 'link').length, 5)
  for (const [secret, name] of world.secrets) if (name === 'link') t.match(secret, /^[\w-]{43}$/)
  t.ok(codes.size >= 3)
  t.same(leaked(`a "${[...codes][0]}" b ${canary}`), ['password', 'code'], 'they would be found')
  t.same(refusals, [400, 400, 400, 400, 412])
  t.same(problems, [
    undefined,
    'provider-email-missing',
    'provider-refused',
    'provider-refused',
    'provider-unavailable'
  ])
  const given = leaked(world.given.join())
  for (const name of ['API key', 'app', 'recovery code', 'setting', 'state']) {
    t.ok(given.includes(name))
  }
  const states = await app.db.selectDistinct({ state: outbox.state }).from(outbox)
  t.same(states.map(({ state }) => state).sort(), ['dead', 'dropped', 'pending', 'sent'])
})

t.test('no log line at any level has a secret, or the address of a mail', async (t) => {
  const requests = world
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
  t.ok(requests.length > 300, `${requests.length} requests`)
  for (const text of ['request failed', 'mail not delivered', 'attempt failed', settings]) {
    t.match(world.output(), text)
  }
  t.same(leaked(world.output()), [])
  t.same(leaksIn(world.output(), [email, later, refused, waiting, unknown]), [])
})

t.test('no other response has a secret, and no address to which a provider leads', async (t) => {
  t.ok(world.responses.length > 600, `${world.responses.length}`)
  t.same(leaked(world.responses.join('\n')), [])
  t.same(leaked(world.places.join('\n')), [])
  const document = (await call('GET', '/openapi.json')).body
  t.match(document, 'LinkToken')
  t.same(leaked(document), [])
})

t.test('no row of the database has a secret, but for settings, which are stored', async (t) => {
  const text = await storedText(app.db)
  for (const known of [
    /auth\.login/,
    /\$2b\$04\$/,
    /key\.create/,
    /auth\.recovery-request/,
    /user\.totp-enrol/,
    /user\.recovery-code-use/
  ]) {
    t.match(text, known)
  }
  const [before, ...after] = text.split(`"note":"${setting}"`)
  t.equal(after.length, 1)
  t.same(leaked([before, ...after].join()), [])
  t.same(leaksIn(text, [unknown]), [], 'nor an address that has no account')
})

t.test('no metric has a secret or an address', async (t) => {
  t.match(metrics, 'portal_outbox_deliveries_total')
  t.match(metrics, 'portal_settings_rejected_total{part="user"} 0')
  t.same(leaked(metrics), [])
  t.notMatch(metrics, '@')
})

t.test('mails have links, and no other secret', async (t) => {
  const texts = mailServer.mails.map(({ mail }) => `${mail.subject} ${mail.text} ${mail.html}`)
  for (const subject of [/authenticator/, /recovery code/]) t.match(texts.join('\n'), subject)
  t.same([...new Set(leaked(texts.join('\n')))], ['link'])
})

t.test('lists have no secret, and only mail addresses of accounts', async (t) => {
  t.equal(ofMail.statusCode, 200)
  t.same(
    lists.map(({ code }) => code),
    [0, 0, 0, 0]
  )
  const texts = [ofMail.body, ...lists.map(({ stdout, stderr }) => stdout + stderr)]
  t.same(leaked(texts.join('\n')), [])
  t.same(leaksIn(texts.slice(0, 3).join('\n'), [later, refused, waiting, unknown]), [])
  t.match(texts[1], owner.email, 'the address of an account')
  t.match(texts[4], 'key.create')
})

t.test('a command prints a new key on stdout alone, and the process list has none', async (t) => {
  t.equal(printed.code, 0, printed.stderr)
  t.match(printed.stdout, /^portal_\S{50}\n$/)
  t.same(leaked(printed.stderr), [])
  if (hasProcessList) t.match(processes.join('\n'), /cli\.js key create --service job/)
  t.same(leaksIn(processes.join('\n'), [printed.stdout.trim(), printed.stdout.slice(7, 50)]), [])
  const [{ id }] = JSON.parse(lists[2]?.stdout ?? '')
  t.equal((await portal(['key', 'revoke', id], { env })).code, 0)
})
