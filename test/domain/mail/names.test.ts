// Not on PGlite: the engine makes no difference to it.

import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../db/schema/users.ts'
import { aUser, callerOf, freshEmail, ownApp, password } from '../../support/app.ts'
import { confirmed, mailsOf } from '../../support/mails.ts'

// A name is the only text of a mail that a stranger could choose.

const words = 'Call 0900 555 1234 about your refund'

t.test('mail to an address that is not confirmed has no name', async (t) => {
  const app = await ownApp(t, { EMAIL_VERIFICATION: 'optional' })
  const mails = mailsOf(app)
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const { SECRET_KEYS } = app.config
  const changes = { EMAIL_VERIFICATION: 'required', SECRET_KEYS } as const
  const required = await ownApp(t, changes, app.database)
  const registered = freshEmail()
  const payload = { email: registered, password, name: words }
  await required.inject({ method: 'POST', url: '/api/auth/register', payload })

  const victim = freshEmail()
  await post('/api/auth/register', { ...payload, email: victim })
  const [user] = await app.db.select().from(users).where(eq(users.email, victim))
  if (!user) throw new Error('no account')
  const { call } = await callerOf(app, user)
  await call('POST', '/api/user/email/verification')
  await post('/api/auth/recovery', { email: victim })
  await required.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { ...payload, email: victim }
  })
  await required.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: victim, password }
  })
  const changed = freshEmail()
  await call('PUT', '/api/user/email', { email: changed, currentPassword: password })

  const all = [...(await mails.to(registered)), ...(await mails.to(victim))]
  all.push(...(await mails.to(changed)))
  t.same(
    all.map(({ kind }) => kind),
    [
      'confirm',
      'email-verify',
      'email-verify',
      'recovery',
      'already-registered',
      'confirm',
      'email-change'
    ]
  )
  for (const { kind, text, html } of all) {
    t.match(text, /^Hello,\n/m, kind)
    t.notMatch(text + html, '0900', kind)
  }
})

t.test('mail to a confirmed address has the name of its user', async (t) => {
  const app = await ownApp(t)
  const mails = mailsOf(app)
  const { email } = await confirmed(app.database, await aUser(app.database))
  await app.inject({ method: 'POST', url: '/api/auth/recovery', payload: { email } })
  t.match((await mails.newest(email, 'recovery')).text, /^Hello Ada/m)
})
