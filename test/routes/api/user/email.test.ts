import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import { change, confirm, emailOf } from '../../../support/email-changes.ts'
import { activityOf, aCaller, aUser, freshEmail, password, testApp } from '../../../support/app.ts'
import { aConfirmedCaller, mailsOf, tokenIn, visible } from '../../../support/mails.ts'

const app = await testApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const mails = mailsOf(app)
const login = async (email: string) =>
  (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } }))
    .statusCode
const invalid = { status: 400, code: 'invalid-token' }

t.test('a new address waits until it is confirmed from its mailbox', async (t) => {
  const caller = await aConfirmedCaller(app)
  const { user, call } = caller
  const email = freshEmail().replace('example', 'EXAMPLE')
  const response = await change(caller, email)
  t.equal(response.statusCode, 202)
  t.same(response.json(), { email: user.email, verified: true, pending: email })
  t.same(await emailOf(caller), { email: user.email, verified: true, pending: email })
  t.equal((await call('GET', '/api/auth/me')).json().user.email, user.email)
  t.same([await login(user.email), await login(email)], [200, 401])

  const { to, text } = await mails.newest(email, 'email-change')
  t.equal(to, email)
  t.match(text, `http://localhost:3000/app/account/confirm-email?token=${tokenIn(text)}`)
  t.same(await mails.kindsTo(user.email), ['new-device'], 'nothing about it to the old one yet')

  const confirmation = await confirm(caller, tokenIn(text))
  t.equal(confirmation.statusCode, 200)
  t.same(confirmation.json(), { email, verified: true, pending: null })
  t.match((await call('GET', '/api/auth/me')).json(), { user: { email, emailVerified: true } })
  t.same([await login(user.email), await login(email.toLowerCase())], [401, 200])
  t.same((await mails.kindsTo(user.email)).slice(-1), ['email-changed'])
  t.match((await confirm(caller, tokenIn(text))).json(), invalid, 'the link works once')
  const records = await activityOf(app.database, user.id)
  t.match(
    records.filter(({ action }) => action.startsWith('user.')),
    [
      { action: 'user.update', details: { changes: { email: { from: user.email, to: email } } } },
      { action: 'user.email-change-request', actorId: user.id }
    ]
  )
})

t.test('a taken address gets the same response, and cannot be confirmed', async (t) => {
  const [one, other] = [await aConfirmedCaller(app), await aConfirmedCaller(app)]
  const owner = await aUser(app.database)
  const free = freshEmail()
  const answers = [await change(one, free), await change(other, owner.email.toUpperCase())]
  const [first, second] = answers.map((answer) => {
    const { status, headers, body } = visible(answer)
    return { status, headers, body: Object.keys(JSON.parse(body) as object) }
  })
  t.same(first, second)
  t.equal(first?.status, 202)
  t.match(answers[1]?.json(), { email: other.user.email, pending: owner.email.toUpperCase() })

  const refused = await confirm(other, await mails.token(owner.email, 'email-change'))
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.match(await emailOf(other), { email: other.user.email, verified: true })
})

t.test('an address that is taken while the mail is on its way cannot be confirmed', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  await change(caller, email)
  const owner = await aUser(app.database, email)
  const refused = await confirm(caller, await mails.token(email, 'email-change'))
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.equal(((await emailOf(caller)) as { email: string }).email, caller.user.email)
  const [row] = await app.db.select().from(users).where(eq(users.id, owner.id))
  t.match(row, { email })
})

t.test('of several users who confirm the same new address at once one gets it', async (t) => {
  const email = freshEmail()
  const callers = [
    await aConfirmedCaller(app),
    await aConfirmedCaller(app),
    await aConfirmedCaller(app)
  ]
  const links: string[] = []
  for (const caller of callers) {
    await change(caller, email)
    links.push(await mails.token(email, 'email-change'))
  }
  const statuses = await Promise.all(
    callers.map(async (caller, i) => (await confirm(caller, links[i] ?? '')).statusCode)
  )
  t.same(statuses.toSorted(), [200, 409, 409])
})

t.test('a change of letter case alone needs no confirmation', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = caller.user.email.toUpperCase()
  const response = await change(caller, email)
  t.equal(response.statusCode, 200)
  t.same(response.json(), { email, verified: true, pending: null })
  t.same(await mails.kindsTo(email), [])
})

t.test('a wrong password sends no mail', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  const response = await change(caller, email, 'wrong')
  t.equal(response.statusCode, 403)
  t.match(response.json(), { code: 'wrong-password' })
  t.same(await mails.to(email), [])
  t.match(await emailOf(caller), { pending: null })
})

t.test('an invalid address is rejected by name', async (t) => {
  const caller = await aConfirmedCaller(app)
  const response = await change(caller, 'ada')
  t.equal(response.statusCode, 400)
  t.match(response.json().errors, [{ pointer: '/email', code: 'invalid-email' }])
})

t.test('the old address of an unconfirmed account gets no notice', async (t) => {
  const caller = await aCaller(app)
  const email = freshEmail()
  await change(caller, email)
  await confirm(caller, await mails.token(email, 'email-change'))
  t.same(await mails.to(caller.user.email), [], 'it may belong to a stranger')
})
