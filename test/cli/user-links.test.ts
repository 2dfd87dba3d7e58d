import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { epochs, userScope } from '../../db/schema/epochs.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { parseKeyList } from '../../src/config/keys.ts'
import { startMailServer } from '../mail/server.ts'
import { activityOf, aUser, password, ownApp, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const ACCOUNT_URL = 'https://app.example.com/account'
const env = { DATABASE_URL: url, ACCOUNT_URL, BCRYPT_COST: '10' }
const { run, ok, json } = runner(env)
const newPassword = 'another horse battery'
const secretKeys = `k1:${randomBytes(32).toString('base64url')}`
const inDatabase = visitor(url)
const created = (email: string) => inDatabase((database) => aUser(database, email))
const rowsOf = (userId: string) =>
  inDatabase(async ({ db }) => ({
    tokens: await db.select().from(tokens).where(eq(tokens.userId, userId)),
    mails: await db.select().from(outbox).where(eq(outbox.userId, userId))
  }))

/** The application with this database, until `end`. */
async function anApp(t: Test, changes: Parameters<typeof ownApp>[1] = {}) {
  const app = await ownApp(t, changes, await openDatabase(url))
  const post = (path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/auth/${path}`, payload })
  return { post, end: () => app.close() }
}

t.test(
  'reset-link prints a link that sets a new password, without mail server and keys',
  async (t) => {
    const { id } = await created('ada@example.com')
    const { stdout, stderr } = await ok(t, 'user reset-link ada@example.com')
    const [, token = ''] =
      /^https:\/\/app\.example\.com\/account\/reset\?token=([\w-]{43})\n$/.exec(stdout) ?? []
    t.notOk(stderr.includes(token) || token === '', 'the link is printed once')
    t.match(stderr, /^Valid until \d{4}-\d\d-\d\dT/)
    await inDatabase(async (database) => {
      const [record] = await activityOf(database, id)
      t.match(record, { action: 'user.reset-link', actorType: 'cli', outcome: 'success' })
      t.same(record?.details, {})
    })

    const app = await anApp(t)
    const used = await app.post('recovery/confirm', { token, newPassword })
    t.equal(used.statusCode, 204, used.body)
    const again = await app.post('recovery/confirm', { token, newPassword })
    t.match(again.json(), { code: 'invalid-token' })
    const login = await app.post('login', { email: 'ada@example.com', password: newPassword })
    t.match(login.json(), { user: { id, emailVerified: false } }, 'which confirms no mailbox')
    await app.end()
  }
)

t.test('a link is valid for 24 hours, or for as long as --hours says', async (t) => {
  const { id } = await created('hours@example.com')
  for (const [args, expected] of [
    ['', 24],
    [' --hours 1', 1],
    [' --hours 72', 72]
  ] as const) {
    const printed = json(await ok(t, `user reset-link ${id}${args} --json`))
    t.equal(printed.url, `${ACCOUNT_URL}/reset?token=${printed.token}`)
    const token = (await rowsOf(id)).tokens.find(
      ({ expiresAt }) => expiresAt.toISOString() === printed.expiresAt
    )
    const seconds = (Number(token?.expiresAt) - Number(token?.createdAt)) / 1000
    t.ok(Math.abs(seconds - expected * 3600) < 600, `${seconds} s`)
    t.match(token, { purpose: 'password-reset', email: null })
  }
  for (const hours of ['0', '73', '1.5', 'x']) {
    const result = await run(`user reset-link ${id} --hours ${hours}`)
    t.match(result, { code: 2, stderr: /whole number from 1 to 72/ }, hours)
  }
})

t.test('without ACCOUNT_URL the token is printed, with a hint to set it', async (t) => {
  const { id } = await created('no-page@example.com')
  const without = runner({ DATABASE_URL: url })
  const { stdout, stderr } = await without.ok(t, `user reset-link ${id}`)
  t.match(stdout, /^[\w-]{43}\n$/)
  t.match(stderr, 'Set ACCOUNT_URL')
  t.match(json(await without.ok(t, `user reset-link ${id} --json`)), { url: null, token: /./ })
})

t.test('a deactivated user gets no link', async (t) => {
  const { id } = await created('gone@example.com')
  await ok(t, `user deactivate ${id}`)
  t.match(await run(`user reset-link ${id}`), {
    code: 4,
    stdout: '',
    stderr: /^The user is deactivated/
  })
  t.same((await rowsOf(id)).tokens, [])
  t.equal((await run('user reset-link nobody@example.com')).code, 3)
})

t.test('verify-email marks an address as confirmed, once', async (t) => {
  const { id } = await created('mailbox@example.com')
  const epoch = () =>
    inDatabase(({ db }) =>
      db
        .select()
        .from(epochs)
        .where(eq(epochs.scope, userScope(id)))
    )
  const before = await epoch()
  t.match(json(await ok(t, 'user verify-email mailbox@example.com --json')), {
    id,
    emailVerified: true
  })
  t.notSame(await epoch(), before, 'servers read the user again')
  await inDatabase(async (database) => {
    t.match(await activityOf(database, id), [{ action: 'user.email-verify', actorType: 'cli' }, {}])
  })
  t.match((await ok(t, `user show ${id}`)).stdout, /^email confirmed +true$/m)
  const again = await run('user verify-email mailbox@example.com')
  t.match(again, { code: 4, stderr: /already confirmed/ })
})

t.test('administrators, and users created with --email-verified, are confirmed', async (t) => {
  const options = { input: password }
  const admin = await ok(
    t,
    'admin create --email ops@example.com --password-file - --json',
    options
  )
  t.match(json(admin), { emailVerified: true })
  const create = 'user create --name Grace --no-password --json'
  t.match(json(await ok(t, `${create} --email one@example.com --email-verified`)), {
    emailVerified: true
  })
  t.match(json(await ok(t, `${create} --email two@example.com`)), { emailVerified: false })
})

t.test('an invitation is printed where no mail is sent', async (t) => {
  const create = 'user create --email hedy@example.com --name Hedy --send-link'
  const result = await ok(t, create)
  t.match(result.stdout, /^email +hedy@example\.com$/m)
  const [, token = ''] = /\n\S+\/reset\?token=([\w-]{43})\n$/.exec(result.stdout) ?? []
  const app = await anApp(t)
  const used = await app.post('recovery/confirm', { token, newPassword })
  t.equal(used.statusCode, 204, used.body)
  const login = await app.post('login', { email: 'hedy@example.com', password: newPassword })
  t.match(login.json(), { user: { emailVerified: false, roles: ['user'] } })
  await app.end()
  await inDatabase(async (database) => {
    const records = await activityOf(database, login.json().user.id)
    t.same(records.map(({ action }) => action).sort(), [
      'auth.recovery',
      'user.create',
      'user.reset-link'
    ])
  })
  t.equal((await run(create)).code, 4, 'the address is taken')
  for (const [args, says] of [
    ['--print --no-password', /--print needs --send-link/],
    ['--send-link --password-file -', /cannot be used with/]
  ] as const) {
    const other = `user create --email other@example.com --name Other ${args}`
    t.match(await run(other), { code: 2, stderr: says }, args)
  }
})

t.test('with a mail server', async (t) => {
  const server = await startMailServer(t)
  const mail = { MAIL_URL: server.url, MAIL_FROM: 'portal@example.com' }
  const withMail = runner({ ...env, ...mail, SECRET_KEYS: secretKeys })
  const withoutKeys = runner({ ...env, ...mail })
  const settings = { ...mail, ACCOUNT_URL, SECRET_KEYS: parseKeyList(secretKeys) }
  const create = 'user create --name Lise --email'

  const confirmed = await created('confirmed@example.com')
  const unconfirmed = await created('unconfirmed@example.com')
  await ok(t, `user verify-email ${confirmed.id}`)

  await t.test('set-password notifies the owner of a confirmed address only', async (t) => {
    for (const { id } of [confirmed, unconfirmed]) {
      await withMail.ok(t, `user set-password ${id} --password-file -`, { input: newPassword })
    }
    t.match((await rowsOf(confirmed.id)).mails, [{ kind: 'password-changed', state: 'pending' }])
    t.same((await rowsOf(unconfirmed.id)).mails, [])
  })

  await t.test('a command that writes mail needs the keys of the server', async (t) => {
    const before = await rowsOf(confirmed.id)
    const hashOf = () =>
      inDatabase(({ db }) => db.select().from(users).where(eq(users.id, confirmed.id)))
    const [row] = await hashOf()
    for (const [args, input] of [
      [`user set-password ${confirmed.id} --password-file -`, 'a third horse battery'],
      [`user update ${confirmed.id} --email moved@example.com`],
      [`user delete ${confirmed.id} --yes`],
      [`${create} new@example.com --send-link`]
    ] as const) {
      const result = await withoutKeys.run(args, { input: input ?? '' })
      t.match(result, { code: 1, stderr: /SECRET_KEYS is not set: this command writes mail/ }, args)
    }
    t.same(await hashOf(), [row], 'nothing was changed')
    t.same(await rowsOf(confirmed.id), before)
    t.equal((await run('user show new@example.com')).code, 3)
    await withoutKeys.ok(t, `user update ${confirmed.id} --name Other`)
    const options = { input: newPassword }
    await withoutKeys.ok(t, `user set-password ${unconfirmed.id} --password-file -`, options)
  })

  await t.test('an invitation is sent, and confirms the address when it is used', async (t) => {
    const sent = await withMail.ok(t, `${create} lise@example.com --send-link --json`)
    t.notOk('link' in json(sent))
    t.match(sent.stderr, 'The link will be sent')
    const printed = json(await withMail.ok(t, `${create} p@example.com --send-link --print --json`))
    t.match(printed, { email: 'p@example.com', link: { url: /\/reset\?token=/ } })
    t.same((await rowsOf(printed.id)).mails, [])

    const app = await anApp(t, { ...settings, EMAIL_VERIFICATION: 'required' })
    const mails = await server.received(2)
    t.same(mails.flatMap(({ to }) => to).sort(), ['confirmed@example.com', 'lise@example.com'])
    const text = mails.find(({ to }) => to[0] === 'lise@example.com')?.mail.text ?? ''
    const [, token = ''] =
      /https:\/\/app\.example\.com\/account\/reset\?token=([\w-]{43})/.exec(text) ?? []
    const used = await app.post('recovery/confirm', { token, newPassword })
    t.equal(used.statusCode, 204, used.body)
    const login = await app.post('login', { email: 'lise@example.com', password: newPassword })
    t.match(login.json(), { user: { emailVerified: true } })
    await app.end()
  })
})
