import t from 'tap'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { throttle } from '../../db/schema/throttle.ts'
import type { Config } from '../../src/config/config.ts'
import { aUser, callerOf, password } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'

/** `staff` speaks for example.com and is required; `other` is any provider. */
async function aPortal(t: Test, config: Partial<Config> = {}, isRequired = true) {
  const domains = ['example.com', 'xn--bcher-kva.example']
  return portalOf(
    t,
    {
      staff: { domains, trustsEmail: 'domains', required: isRequired, listed: false },
      other: { name: 'Other', trustsEmail: 'claim' }
    },
    config
  )
}

t.test('all addresses of a required domain get the same response, without a look-up', async (t) => {
  const { app } = await aPortal(t)
  await confirmed(app.database, await aUser(app.database, 'known@example.com'))
  const counted = await app.db.$count(throttle) // the registration above
  const browser = aBrowser(app)
  const bodies = []
  for (const email of [
    'known@example.com',
    'Unknown@EXAMPLE.com',
    'x@bücher.example',
    'x@xn--bcher-kva.example'
  ]) {
    for (const [url, body] of [
      ['/api/auth/login', { password }],
      ['/api/auth/register', { password, name: 'X' }],
      ['/api/auth/recovery', {}]
    ] as const) {
      const { instance, ...problem } = (await browser.call('POST', url, { email, ...body })).json()
      t.match(problem, { status: 403, code: 'provider-required' }, `${url} ${email}`)
      bodies.push(JSON.stringify(problem))
    }
  }
  t.equal(new Set(bodies).size, 1)
  t.equal(await app.db.$count(throttle), counted, 'nothing was counted, so nothing was looked up')
  t.equal(await app.db.$count(outbox), 0)

  const dot = { email: 'known@example.com.', password }
  t.match((await browser.call('POST', '/api/auth/login', dot)).json(), { code: 'invalid-request' })
  const sub = { email: 'x@sub.example.com', password }
  t.match((await browser.call('POST', '/api/auth/login', sub)).json(), {
    code: 'invalid-credentials'
  })
})

t.test('find and options say what everybody may know', async (t) => {
  const { app } = await aPortal(t)
  const find = async (email: string) =>
    (
      await app.inject({ method: 'POST', url: '/api/auth/providers/find', payload: { email } })
    ).json() as object
  const provider = { key: 'staff', kind: 'oidc', name: 'Acme' }
  t.same(await find('nobody@Example.com'), { provider, required: true })
  t.same(await find('nobody@sub.example.com'), { provider: null, required: false })
  t.match(await find('nobody'), { code: 'invalid-request' })
  const options = await app.inject('/api/auth/options')
  t.same(options.json().providers, [{ key: 'other', kind: 'oidc', name: 'Other' }])
})

t.test('no other provider lets in a user with a confirmed address of the domain', async (t) => {
  const { app } = await aPortal(t)
  const browser = aBrowser(app)
  t.equal((await browser.through('other', 'nora')).problem, 'provider-required', 'a new account')
  const user = await confirmed(app.database, await aUser(app.database, 'nora.field@example.com'))
  t.equal((await browser.through('other', 'nora')).problem, 'provider-required', 'linked by it')
  t.equal(await browser.me(), undefined)
  t.equal((await browser.through('staff', 'nora')).problem, undefined)
  t.equal((await browser.me())?.user.id, user.id)

  const { items } = (await browser.call('GET', '/api/user/providers')).json()
  t.match((await browser.call('DELETE', `/api/user/providers/${items[0].id}`)).json(), {
    code: 'managed-by-provider'
  })
})

t.test('a sign-in that waits for its second step does not outlive the requirement', async (t) => {
  const { app } = await aPortal(t, {}, false)
  const mails = mailsOf(app)
  const user = await confirmed(app.database, await aUser(app.database, 'nora.field@example.com'))
  await aBrowser(app).call('POST', '/api/auth/recovery', { email: user.email })
  const token = await mails.token(user.email, 'recovery')
  const [staff] = app.config.providers
  if (staff) staff.required = true
  const reset = { token, newPassword: 'a new and long password' }
  const browser = aBrowser(app)
  t.equal((await browser.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
  const login = { email: user.email, password: reset.newPassword }
  t.match((await browser.call('POST', '/api/auth/login', login)).json(), {
    code: 'provider-required'
  })
})

t.test('an address is neither changed into the domain nor out of it', async (t) => {
  const { app } = await aPortal(t, {}, false)
  const inside = await callerOf(
    app,
    await confirmed(app.database, await aUser(app.database, 'in@example.com'))
  )
  const outside = await callerOf(
    app,
    await confirmed(app.database, await aUser(app.database, 'out@elsewhere.example'))
  )
  const mails = mailsOf(app)
  const change = (email: string) => ({ email, currentPassword: password })
  await outside.call('PUT', '/api/user/email', change('later@example.com'))
  const token = await mails.token('later@example.com', 'email-change')
  const [staff] = app.config.providers
  if (staff) staff.required = true
  for (const refused of [
    await inside.call('PUT', '/api/user/email', change('me@elsewhere.example')),
    await outside.call('PUT', '/api/user/email', change('me@example.com')),
    await outside.call('POST', '/api/user/email/confirm', { token })
  ]) {
    t.match(refused.json(), { status: 409, code: 'managed-by-provider' })
  }
  t.equal((await outside.call('GET', '/api/user/email')).json().email, 'out@elsewhere.example')
})
