import assert from 'node:assert/strict'
import test from 'node:test'
import { aCaller, caughtMail, testApp } from 'portal/testing'
import type { Caller } from 'portal/testing'

const app = await testApp(test)
const clerk = ['invoices:read'] as const
const manager = [...clerk, 'invoices:write', 'members:manage'] as const
const operator = await aCaller(app, { permissions: ['roles:create', 'users:update', ...manager] })
await done(operator.call('POST', '/api/admin/roles', role('clerk', clerk)), 201)
await done(operator.call('POST', '/api/admin/roles', role('manager', manager)), 201)

function role(key: string, permissions: readonly string[]) {
  return { key, name: key, permissions, scoped: true }
}

async function done(call: ReturnType<Caller['call']>, status: number) {
  const response = await call
  assert.equal(response.statusCode, status, response.body)
  return response
}

/** A customer with an invoice, and the user who manages it. */
async function aCustomer(org: string) {
  const boss = await aCaller(app)
  const path = `/api/admin/scopes/${org}/members/${boss.user.id}/roles/manager`
  await done(operator.call('PUT', path), 204)
  const url = `/api/customers/${org}/invoices`
  const invoice = (await done(boss.call('POST', url, { item: 'Support', cents: 9900 }), 201)).json()
  return { boss, url, invoice }
}

test('an invited colleague sees the invoices of one customer, and none of the other', async () => {
  const [acme, other] = [await aCustomer('org:acme'), await aCustomer('org:other')]
  const { user, call } = await aCaller(app, { name: 'Bo' })
  await done(call('GET', acme.url), 404)
  const invitation = { email: user.email, role: 'clerk' }
  await done(acme.boss.call('POST', '/api/scopes/org:acme/invitations', invitation), 201)
  const { text } = await caughtMail(app, user.email, 'scope-invitation')
  const [, token] = /token=([\w.-]+)/.exec(text) ?? []
  await done(call('POST', '/api/auth/invitation', { token }), 200)

  assert.deepEqual((await done(call('GET', acme.url), 200)).json(), [acme.invoice])
  await done(call('POST', acme.url, { item: 'A gift', cents: 1 }), 403)
  const refused = await done(call('GET', other.url), 404)
  assert.equal(refused.json().code, 'scope-not-found')
  await done(call('POST', other.url, { item: 'A gift', cents: 1 }), 404)
  assert.deepEqual((await done(other.boss.call('GET', other.url), 200)).json(), [other.invoice])
})
