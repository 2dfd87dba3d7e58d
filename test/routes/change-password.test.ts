import t from 'tap'
import { testApp } from '../support/app.ts'

const path = '/.well-known/change-password'
const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' } as const
const headers = { host: 'portal.example.com' }

t.test('a password manager finds the page where a password is changed', async (t) => {
  for (const [ACCOUNT_URL, page] of [
    ['https://portal.example.com/account', 'https://portal.example.com/account/security'],
    ['https://portal.example.com/me/', 'https://portal.example.com/me/security']
  ] as const) {
    const app = await testApp(t, { ...production, ACCOUNT_URL })
    const response = await app.inject({ url: path, headers })
    t.same([response.statusCode, response.headers.location], [303, page])
    t.equal(response.headers['cache-control'], 'no-store')
  }
})

t.test('a portal without pages for accounts has no page to change a password', async (t) => {
  const app = await testApp(t, production)
  const response = await app.inject({ url: path, headers })
  t.match(response.json(), { status: 404, code: 'not-found' })
})

t.test('a password manager sees that unknown addresses are not found', async (t) => {
  const url = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  const ACCOUNT_URL = 'https://portal.example.com/account'
  const app = await testApp(t, { ...production, ACCOUNT_PAGES: 'on', ACCOUNT_URL })
  t.match((await app.inject({ url, headers })).json(), { status: 404, code: 'not-found' })
})
