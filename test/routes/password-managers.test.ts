import t from 'tap'
import { testApp } from '../support/app.ts'

const paths = ['/.well-known/change-password', '/.well-known/passkey-endpoints'] as const
const [passwords, passkeys] = paths
const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' } as const
const headers = { host: 'portal.example.com' }

t.test('a password manager finds the page for passwords and passkeys', async (t) => {
  for (const [ACCOUNT_URL, page] of [
    ['https://portal.example.com/account', 'https://portal.example.com/account/security'],
    ['https://portal.example.com/me/', 'https://portal.example.com/me/security']
  ] as const) {
    const app = await testApp(t, { ...production, ACCOUNT_URL })
    const response = await app.inject({ url: passwords, headers })
    t.same([response.statusCode, response.headers.location], [303, page])
    t.equal(response.headers['cache-control'], 'no-store')
    const endpoints = await app.inject({ url: passkeys, headers })
    t.match(endpoints.headers['content-type'], /^application\/json\b/)
    t.same(endpoints.json(), { enroll: page, manage: page })
  }
})

t.test('a portal without pages for accounts, or without passkeys, has no such page', async (t) => {
  const app = await testApp(t, production)
  for (const url of paths) {
    const response = await app.inject({ url, headers })
    t.match(response.json(), { status: 404, code: 'not-found' })
  }
  const ACCOUNT_URL = 'https://portal.example.com/account'
  const without = await testApp(t, { ...production, ACCOUNT_URL, PASSKEYS: 'off' })
  t.equal((await without.inject({ url: passkeys, headers })).statusCode, 404)
  t.equal((await without.inject({ url: passwords, headers })).statusCode, 303)
})

t.test('a password manager sees that unknown addresses are not found', async (t) => {
  const url = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  const ACCOUNT_URL = 'https://portal.example.com/account'
  const app = await testApp(t, { ...production, ACCOUNT_PAGES: 'on', ACCOUNT_URL })
  t.match((await app.inject({ url, headers })).json(), { status: 404, code: 'not-found' })
})
