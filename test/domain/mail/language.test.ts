// Not on PGlite: the engine makes no difference to it.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { users } from '../../../db/schema/users.ts'
import type { Config } from '../../../src/config/config.ts'
import {
  aUser,
  freshEmail,
  password,
  signedIn,
  temporaryFolder,
  testApp
} from '../../support/app.ts'
import { confirmed, mailsOf } from '../../support/mails.ts'

// A mail is in the language of its reader: of the profile, else of the browser that registered,
// else in MAIL_LOCALE.

const aPortal = async (test: Test, changes: Partial<Config> = {}) => {
  const app = await testApp(test, { EMAIL_VERIFICATION: 'required', ...changes })
  const mails = mailsOf(app)
  const post = (url: string, payload: object, accepted?: string) =>
    app.inject({
      method: 'POST',
      url,
      headers: accepted === undefined ? {} : { 'accept-language': accepted },
      payload
    })
  return { app, mails, post }
}
const languageOf = ({ html }: { html: string }) => /<html lang="([^"]+)"/.exec(html)?.[1]

t.test(
  'a registration is answered in the first language of the browser that has texts',
  async (t) => {
    const { mails, post } = await aPortal(t)
    const cases = [
      ['de', 'de'],
      ['de-CH, fr;q=0.9', 'de'],
      ['es-MX, en;q=0.9', 'es'],
      ['it-IT, it;q=0.9, de;q=0.5, en;q=0.3', 'de'],
      ['en-GB, de;q=0.9', 'en'],
      ['DE-de', 'de'],
      ['it, nl', 'en'],
      ['*', 'en'],
      ['', 'en'],
      [undefined, 'en'],
      ['{}, ../../de, de/../de, d\u00e9, x-klingon', 'en'],
      [`${'it,'.repeat(50)}de`, 'en']
    ] as const
    const emails = cases.map(() => freshEmail())
    for (const [n, [accepted]] of cases.entries()) {
      await post('/api/auth/register', { email: emails[n], password, name: 'Zoë' }, accepted)
    }
    const found = []
    for (const [n, [accepted]] of cases.entries()) {
      found.push([accepted, languageOf(await mails.newest(emails[n] ?? '', 'confirm'))])
    }
    t.same(found, cases)
  }
)

t.test('without a language that has texts it is the one of the portal', async (t) => {
  const { mails, post, app } = await aPortal(t, { MAIL_LOCALE: 'de' })
  const email = freshEmail()
  await post('/api/auth/register', { email, password, name: 'Zoë' }, 'it')
  const mail = await mails.newest(email, 'confirm')
  t.equal(languageOf(mail), 'de')
  t.match(mail.text, 'Guten Tag!')
  const user = await aUser(app.database)
  await post('/api/auth/recovery', { email: user.email }, 'en')
  const recovery = await mails.newest(user.email, 'recovery')
  t.equal(languageOf(recovery), 'de', 'not the one of the stranger who asks')
})

t.test('an account keeps the language of its registration once it is confirmed', async (t) => {
  const { app, mails, post } = await aPortal(t)
  const email = freshEmail()
  await post('/api/auth/register', { email, password, name: 'Zoë' }, 'de-AT, en')
  const token = await mails.token(email, 'confirm')
  await post('/api/auth/confirm', { token, password }, 'en')
  t.match(await app.db.select().from(users).where(eq(users.email, email)), [{ locale: 'de' }])
  await post('/api/auth/recovery', { email }, 'en')
  t.equal(languageOf(await mails.newest(email, 'recovery')), 'de')
})

t.test('where accounts exist before they are confirmed, the language comes with it', async (t) => {
  const { app, mails, post } = await aPortal(t, { EMAIL_VERIFICATION: 'optional' })
  const localeOf = async (email: string) =>
    (await app.db.select().from(users).where(eq(users.email, email)))[0]?.locale
  for (const [chosen, expected] of [
    [null, 'de'],
    ['en-GB', 'en-GB']
  ] as const) {
    const email = freshEmail()
    await post('/api/auth/register', { email, password, name: 'Zoë' }, 'de')
    t.equal(await localeOf(email), null, 'a stranger may have registered')
    await app.db.update(users).set({ locale: chosen }).where(eq(users.email, email))
    const cookie = await signedIn(app, email)
    const confirmation = await app.inject({
      method: 'POST',
      url: '/api/user/email/confirm',
      headers: { cookie, 'accept-language': 'de' },
      payload: { token: await mails.token(email, 'email-verify') }
    })
    t.equal(confirmation.statusCode, 200)
    t.equal(await localeOf(email), expected)
  }
})

t.test('a profile decides the language and the time zone', async (t) => {
  const { app, mails, post } = await aPortal(t)
  const user = await confirmed(app.database, await aUser(app.database))
  await app.db
    .update(users)
    .set({ locale: 'de-AT', timeZone: 'Asia/Tokyo' })
    .where(eq(users.id, user.id))
  await post('/api/auth/register', { email: user.email, password, name: 'Zoë' }, 'en')
  await post('/api/auth/recovery', { email: user.email }, 'en')
  await post('/api/auth/login', { email: user.email, password }, 'en')
  await post('/api/auth/login', { email: user.email, password }, 'en')
  const all = await mails.to(user.email)
  t.same(
    all.map((mail) => [mail.kind, languageOf(mail)]),
    [
      ['already-registered', 'de'],
      ['recovery', 'de'],
      ['new-device', 'de']
    ]
  )
  t.match(all.at(-1)?.text, /GMT\+9/, 'the time in Tokyo')
  await app.db.update(users).set({ locale: 'it', timeZone: null }).where(eq(users.id, user.id))
  await post('/api/auth/recovery', { email: user.email }, 'de')
  t.equal(languageOf(await mails.newest(user.email, 'recovery')), 'en', 'Italian has no texts')
})

t.test('operators can add a language', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(
    path.join(folder, 'it.json'),
    JSON.stringify({ 'confirm.subject': 'Confermi il suo indirizzo per {product}' })
  )
  const { mails, post } = await aPortal(t, { MAIL_TEXTS: folder, PRODUCT_NAME: 'Kontor' })
  const email = freshEmail()
  await post('/api/auth/register', { email, password, name: 'Zoë' }, 'it-CH, de')
  const mail = await mails.newest(email, 'confirm')
  t.equal(languageOf(mail), 'it')
  t.equal(mail.subject, 'Confermi il suo indirizzo per Kontor')
  t.match(mail.text, 'Hello,', 'a key that is missing comes from English')
})
