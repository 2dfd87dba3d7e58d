import { eq } from 'drizzle-orm'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import type { Received } from '../mail/server.ts'
import { mailHeaders, startMailServer } from '../mail/server.ts'
import { aUser, freshEmail, password, ownApp, testApp } from '../support/app.ts'
import { confirmed, deliverAtOnce, mailsOf, tokenIn } from '../support/mails.ts'

// Strangers must not decide who gets a mail, what is in it, or where its links lead.

const accountUrl = 'https://app.example.com/account'
const changes = {
  EMAIL_VERIFICATION: 'required' as const,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  CORS_ORIGINS: ['https://app.example.com', 'https://other.example.com'],
  ACCOUNT_URL: accountUrl,
  TRUST_PROXY: ['127.0.0.1']
}
const app = await testApp(t, changes)
const mails = mailsOf(app)
const register = (
  email: string,
  name: string,
  headers: InjectOptions['headers'] = {},
  on: FastifyInstance = app
) =>
  on.inject({
    method: 'POST',
    url: '/api/auth/register',
    headers,
    payload: { email, password, name }
  })
const recover = (email: string, headers: InjectOptions['headers'] = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/recovery', headers, payload: { email } })

const spam = [
  'https://spam.example/win',
  'WIN at spam.example now',
  'www.spam.example',
  'HTTPS:// spam . example',
  'ｈｔｔｐｓ：／／ｓｐａｍ．ｅｘａｍｐｌｅ',
  'spam\u2024example',
  'spam。example',
  'h\u200bttps://spam.example',
  '<b>spam.example</b>',
  '<a href="https://spam.example">win</a>',
  '[win](https://spam.example)',
  'mail me@spam.example',
  'call tel:+15550100',
  '{product} {token}',
  `${'win '.repeat(19)}end`
]
t.test('a name cannot carry a link, markup or much text', async (t) => {
  /** The greeting, and everything else but the link and the time until which it works. */
  const partsOf = async (name: string) => {
    const { id, email } = await confirmed(app.database, await aUser(app.database))
    await app.db.update(users).set({ name }).where(eq(users.id, id))
    await recover(email)
    const { subject, text, html } = await mails.newest(email, 'recovery')
    const plain = (part: string) =>
      part
        .replaceAll(tokenIn(text), 'TOKEN')
        .replaceAll(email, 'ADDRESS')
        .replace(/until [^.<]+\./, 'until TIME.')
    const [product, greeting = '', ...paragraphs] = plain(text).split('\n\n')
    t.equal(product, 'portal')
    const markup = plain(html).split(/<p>(Hello.*)<\/p>\n/)
    return { greeting, inHtml: markup[1], rest: [subject, paragraphs, markup[0], markup[2]] }
  }
  const ordinary = await partsOf('Ada')
  t.match(ordinary, { greeting: 'Hello Ada,', inHtml: 'Hello Ada,' })
  for (const name of spam) {
    const parts = await partsOf(name)
    t.match(parts.greeting, /^Hello( [\p{L}\p{N} ,.()-]{1,40})?,$/u, name)
    t.notMatch(parts.greeting, /http|www|\w\.\w/i, name)
    t.equal(parts.inHtml, parts.greeting.replaceAll('\n', ' '), 'the same in HTML')
    t.same(parts.rest, ordinary.rest, 'and nothing else differs')
  }
})

t.test('names with line breaks or bidirectional controls are rejected', async (t) => {
  for (const name of ['Ada\r\nBcc: victim@example.org', 'Ada\nAda', 'Ada\u202e', 'Ada\u0000']) {
    const email = freshEmail()
    const response = await register(email, name)
    t.equal(response.statusCode, 400, JSON.stringify(name))
    t.same(await mails.to(email), [])
  }
})

t.test('the owner of a taken address reads nothing that the stranger wrote', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  await register(email, 'Call the bank', { 'user-agent': 'Call the bank' })
  const { subject, text, html } = await mails.newest(email, 'already-registered')
  t.notMatch(subject + text + html, /bank/)
  t.match(text, 'Hello Ada Lovelace,')
})

t.test('the browser in a notice is one of a few known names', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  const login = (agent: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': agent },
      payload: { email, password }
    })
  await login('x')
  await login('Go to https://spam.example <b>now</b> Firefox/140.0')
  const { text, html } = await mails.newest(email, 'new-device')
  t.match(text, 'Firefox')
  t.notMatch(text + html, /spam|<b>/)
})

t.test('links lead to ACCOUNT_URL, whatever host or origin a request names', async (t) => {
  const forged: InjectOptions['headers'][] = [
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
    { forwarded: 'for=192.0.2.1;host=evil.example;proto=http' },
    { 'x-original-url': 'https://evil.example/', 'x-rewrite-url': '/evil.example' },
    { 'x-host': 'evil.example', 'x-http-host-override': 'evil.example' },
    { referer: 'https://evil.example/account' },
    { origin: 'https://other.example.com', referer: 'https://other.example.com/account' },
    { host: 'portal.example.com:81' }
  ]
  for (const headers of forged) {
    const what = JSON.stringify(headers)
    const [free, taken] = [freshEmail(), (await aUser(app.database)).email]
    t.equal((await register(free, 'Ada', headers)).statusCode, 202, what)
    await recover(taken, headers)
    await register(taken, 'Ada', headers)
    for (const { text, html } of [...(await mails.to(free)), ...(await mails.to(taken))]) {
      const links = [...(text + html).matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link)
      t.ok(links.length >= 2)
      t.ok(
        links.every((link) => link.startsWith(`${accountUrl}/`)),
        String(links)
      )
      t.notMatch(text + html, /evil|:81/)
    }
    t.equal((await mails.to(taken)).length, 2, what)
  }
})

t.test('requests for another host, or from a page of another site, send nothing', async (t) => {
  const { email } = await aUser(app.database)
  const before = (await mails.rows()).length
  for (const [headers, status] of [
    [{ host: 'evil.example' }, 421],
    [{ host: 'portal.example.com.evil.example' }, 421],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 403]
  ] as const) {
    t.equal((await recover(email, headers)).statusCode, status, JSON.stringify(headers))
    t.equal((await register(email, 'Ada', headers)).statusCode, status)
  }
  t.equal((await mails.rows()).length, before)
})

t.test('registered names and addresses add no header and no recipient to the mail', async (t) => {
  const server = await startMailServer(t)
  const own = await ownApp(t, {
    ...changes,
    MAIL_URL: server.url,
    MAIL_FROM: 'Kontor <portal@example.com>'
  })
  deliverAtOnce(t, own)
  const victim = 'victim@example.org'
  const hostile: [email: string, name: string, headers: InjectOptions['headers']][] = [
    ["o'hara+bcc=x!%&*{}|~^`?/#$@example.com", `Bcc: ${victim}`, {}],
    ['a@BÜCHER.example', `${victim},`, { 'accept-language': `de, Bcc: ${victim}` }],
    ['b@example.com', `"${victim}" <${victim}>`, { 'accept-language': '\\r\\nBcc: x'.repeat(500) }],
    ['c@example.com', '=?utf-8?q?=0D=0ABcc:_victim=40example.org?=', { 'user-agent': victim }],
    ['d@example.com', '%0d%0aBcc: victim%40example.org', {}]
  ]
  for (const [index, [email, name, headers]] of hostile.entries()) {
    t.equal((await register(email, name, headers, own)).statusCode, 202, email)
    const received = (await server.received(index + 1)).at(-1) as Received
    const ascii = email.toLowerCase().replace('bücher', 'xn--bcher-kva')
    t.equal(received.to.length, 1, 'one recipient')
    t.same(received.mail.to, [{ name: '', address: ascii }])
    t.equal(received.from, 'portal@example.com')
    t.same(received.mail.headers.map(({ key }) => key).sort(), mailHeaders)
    t.notMatch(received.raw.split('\r\n\r\n', 1)[0], /^bcc|victim/im)
  }
  for (const email of [
    `ada@example.com\r\nBcc: ${victim}`,
    `ada@example.com,${victim}`,
    `ada@example.com\r\nRCPT TO:<${victim}>`,
    `Ada <${victim}>`,
    `"${victim} "@example.com`,
    'ada@example.com%0aBcc:x'
  ]) {
    t.equal((await register(email, 'Ada', {}, own)).statusCode, 400, email)
    const payload = { email }
    const url = '/api/auth/recovery'
    t.equal((await own.inject({ method: 'POST', url, payload })).statusCode, 400, email)
  }
  t.equal(server.mails.length, hostile.length)
})
