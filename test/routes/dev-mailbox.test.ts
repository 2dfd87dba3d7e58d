import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { enqueueMail } from '../../src/domain/outbox/enqueue.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { mailHtmlPolicy, mailPagePolicy } from '../../src/http/pages/dev-mailbox.ts'
import { samples } from '../mail/samples.ts'
import { freshEmail, password, until } from '../support/app.ts'
import { emptyApp } from '../support/empty-app.ts'

const token = randomBytes(32).toString('base64url')

/** Writes a mail that is in this state already, so that no worker takes it. */
async function aMail(
  app: FastifyInstance,
  { to = freshEmail(), state = 'caught', sealing = app.context.mail?.sealing }: AMail = {}
) {
  const { mail } = app.context
  if (!mail || !sealing) throw new Error('no mail can be written')
  return app.db.transaction(async (tx) => {
    const content = { ...samples.recovery, token }
    const id = await enqueueMail(tx, { ...mail, sealing }, { to, reader: {}, content }, {})
    await tx
      .update(outbox)
      .set({ state, doneAt: sql`now()`, ...(state === 'sent' && { payload: null }) })
      .where(eq(outbox.id, id))
    return id
  })
}
interface AMail {
  to?: string
  state?: 'caught' | 'dead' | 'sent'
  sealing?: ReturnType<typeof createSealing>
}

const idsIn = (page: string) => [...page.matchAll(/href="\/mail\/([^"]+)"/g)].map(([, id]) => id)

t.test('a registration is confirmed by the link that /mail shows', async (t) => {
  const app = await emptyApp(t, {
    EMAIL_VERIFICATION: 'required',
    ACCOUNT_URL: 'http://localhost:5173/account'
  })
  t.match((await app.inject('/mail')).body, 'No mail yet')
  const email = freshEmail()
  const registration = { email, password, name: 'Ada Lovelace' }
  const registered = await app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: registration
  })
  t.equal(registered.statusCode, 202)

  let list = ''
  await until(async () => (list = (await app.inject('/mail')).body).includes(email))
  const [id] = idsIn(list)
  t.match(list, `<span title="${email}">${email}</span> <span>confirm</span> <time`)
  const page = (await app.inject(`/mail/${id}`)).body
  const html = (await app.inject(`/mail/${id}/html`)).body
  t.match(page, `<span title="${email}">${email}</span>`)
  const link = /http:\/\/localhost:5173\/account\/confirm\?token=([\w-]{43})/
  const [, shown] = link.exec(page) ?? []
  t.equal(link.exec(html)?.[1], shown, 'both forms have the same link')

  await t.test('reading it consumes nothing', async (t) => {
    const before = await app.db.select().from(tokens)
    for (const url of ['/mail', `/mail/${id}`, `/mail/${id}/html`]) {
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        t.equal((await app.inject({ method, url })).statusCode, 200, `${method} ${url}`)
      }
    }
    t.equal(before.length, 1)
    t.same(await app.db.select().from(tokens), before)
  })
  const confirmed = await app.inject({
    method: 'POST',
    url: '/api/auth/confirm',
    payload: { token: shown, password }
  })
  t.match(confirmed.json(), { user: { email } })
})

t.test(
  'the pages have the policies of their parts and the headers of every response',
  async (t) => {
    const app = await emptyApp(t)
    const id = await aMail(app)
    for (const [url, policy, frames] of [
      ['/mail', mailPagePolicy, 'DENY'],
      [`/mail/${id}`, mailPagePolicy, 'DENY'],
      [`/mail/${id}/html`, mailHtmlPolicy, 'SAMEORIGIN']
    ] as const) {
      const { statusCode, headers } = await app.inject(url)
      t.equal(statusCode, 200)
      t.match(headers, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'x-frame-options': frames,
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store'
      })
    }
  }
)

t.test('the newest hundred caught mails are listed, and no others', async (t) => {
  const app = await emptyApp(t)
  const ids: string[] = []
  for (let n = 0; n < 101; n++) ids.unshift(await aMail(app))
  const others = [await aMail(app, { state: 'dead' }), await aMail(app, { state: 'sent' })]
  const list = async () => idsIn((await app.inject('/mail')).body)
  t.same(await list(), ids.slice(0, 100))
  const foreign = createSealing([{ kid: 'other', secret: randomBytes(32) }])
  const unreadable = await aMail(app, { sealing: foreign })
  t.same(await list(), ids.slice(0, 99), 'nor one whose key was dropped')

  t.equal(
    (await app.inject({ url: `/mail/${ids.at(-1)}` })).statusCode,
    200,
    'an older one by its id'
  )
  for (const id of [...others, unreadable, '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e']) {
    for (const url of [`/mail/${id}`, `/mail/${id}/html`]) {
      const refused = await app.inject(url)
      t.match(refused.json(), { status: 404, code: 'mail-not-found' })
      t.notMatch(refused.body, token)
    }
  }
  t.equal((await app.inject('/mail/1')).statusCode, 400)
  t.equal((await app.inject({ method: 'POST', url: '/mail' })).statusCode, 405)
})

t.test('mail is found by a part of the address or subject, and by its kind', async (t) => {
  const app = await emptyApp(t)
  const ada = await aMail(app, { to: 'ada@example.com' })
  const grace = await aMail(app, { to: 'grace@example.org' })
  const found = async (query: string) => idsIn((await app.inject(`/mail?${query}`)).body)
  t.same(await found('q=EXAMPLE.org&kind='), [grace])
  t.same(await found('q=new+password'), [grace, ada], 'by the subject')
  t.same(await found('q=nobody'), [])
  t.same(await found('kind=recovery'), [grace, ada])
  t.same(await found('kind=confirm'), [])
  t.same(await found('utm_source=chat'), [grace, ada], 'an unknown parameter is ignored')
  t.equal((await app.inject('/mail?kind=letter')).statusCode, 400)
})

t.test('mail is shown under the names of this machine, and to this machine', async (t) => {
  const app = await emptyApp(t, {
    HOST: '192.0.2.7',
    ALLOWED_HOSTS: ['portal.internal'],
    PUBLIC_ORIGIN: 'http://box.lan:3000'
  })
  const id = await aMail(app)
  const urls = ['/mail', `/mail/${id}`, `/mail/${id}/html`]
  const statusOf = async (url: string, host: string, remoteAddress = '127.0.0.1') => {
    const response = await app.inject({ url, headers: { host }, remoteAddress })
    if (response.statusCode !== 200) {
      t.match(response.json(), { status: 421, code: 'host-not-allowed' })
      t.notMatch(response.body, token)
    }
    return response.statusCode
  }
  for (const url of urls) {
    for (const host of [
      'localhost',
      'localhost:3000',
      '127.0.0.1:3000',
      '[::1]:3000',
      'A.localhost'
    ]) {
      t.equal(await statusOf(url, host), 200, host)
      t.equal(await statusOf(url, host, '::1'), 200, `${host} by IPv6`)
      t.equal(await statusOf(url, host, '::ffff:127.0.0.1'), 200, `${host} by IPv4 in IPv6`)
      for (const machine of ['192.0.2.8', '::ffff:192.0.2.8', 'fd00::2']) {
        t.equal(await statusOf(url, host, machine), 421, `${host} from ${machine}`)
      }
    }
    for (const host of ['192.0.2.7:3000', 'portal.internal', 'box.lan:3000']) {
      t.equal((await app.inject({ url: '/api/auth/options', headers: { host } })).statusCode, 200)
      t.equal(await statusOf(url, host), 421, host)
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      t.equal(await statusOf(url, host), 421, host)
    }
  }
})

t.test('mail is not shown to requests that a proxy on this machine forwards', async (t) => {
  const app = await emptyApp(t)
  const id = await aMail(app)
  for (const url of ['/mail', `/mail/${id}`, `/mail/${id}/html`]) {
    const statusOf = async (headers = {}) =>
      (await app.inject({ url, headers: { host: 'localhost', ...headers } })).statusCode
    t.equal(await statusOf(), 200)
    for (const header of ['X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'Via']) {
      t.equal(await statusOf({ [header]: '203.0.113.7' }), 421, header)
      t.equal(await statusOf({ [header]: '' }), 421, `an empty ${header}`)
    }
  }
})

t.test('/mail is not in the API document', async (t) => {
  const app = await emptyApp(t)
  t.equal((await app.inject('/mail')).statusCode, 200)
  t.same(
    Object.keys((await app.inject('/openapi.json')).json().paths).filter((path) =>
      path.startsWith('/mail')
    ),
    []
  )
})

t.test('/mail does not exist with a mail server, nor in production', async (t) => {
  const server = { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'portal@example.com' }
  const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' }
  for (const changes of [server, production, { ...production, ...server }]) {
    const app = await emptyApp(t, changes)
    for (const path of [
      '',
      '/0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
      '/0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e/html'
    ]) {
      t.match((await app.inject(`/mail${path}`)).json(), { status: 404, code: 'not-found' })
    }
  }
})
