import { randomBytes } from 'node:crypto'
import t from 'tap'
import { ownApp, testDatabase } from '../support/app.ts'
import { leaksIn, storedText } from '../support/leaks.ts'
import { captureLog } from '../support/log-capture.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'

t.test('codes, tokens and secrets of providers are nowhere but on their way', async (t) => {
  const acme = await startOidcProvider(t)
  const canary = `canary-${randomBytes(12).toString('hex')}`
  const secrets = new Set([canary, acme.client.secret])
  acme.alter.tokenResponse = (body) => {
    for (const name of ['access_token', 'id_token']) secrets.add(String(body[name]))
    return { ...body, refresh_token: canary }
  }
  const { log, output } = captureLog('trace')
  const database = await testDatabase(t)
  const providers = [configured.oidc(acme, { trustsEmail: 'claim' })]
  const app = await ownApp(t, { providers }, database, log)
  const seen: string[] = []
  const go = async (person: string, change: (params: URLSearchParams) => void = () => {}) => {
    const browser = aBrowser(app)
    const { url = '' } = await begin(app, browser.jar, { key: 'acme', returnTo: '/app' })
    for (const value of browser.jar.values()) secrets.add(value)
    for (const name of ['state', 'nonce']) secrets.add(new URL(url).searchParams.get(name) ?? '')
    const callback = await walk(url, person)
    change(callback.params)
    secrets.add(callback.params.get('code') ?? canary)
    const { location, problem } = await comeBack(app, browser.jar, callback)
    seen.push(String(location))
    return problem
  }
  t.equal(await go('nora'), undefined)
  t.equal(await go('tom'), 'provider-email-missing')
  const told = (params: URLSearchParams) => {
    params.delete('code')
    params.set('error', 'server_error')
    params.set('error_description', canary)
  }
  t.equal(await go('nora', told), 'provider-refused')
  acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, aud: canary } })
  t.equal(await go('nora'), 'provider-refused')
  acme.trouble = (path) => (path === '/token' ? 500 : undefined)
  t.equal(await go('nora'), 'provider-unavailable')

  t.ok(secrets.size > 10)
  t.same(leaksIn(output(), secrets), [], 'in the log')
  t.same(leaksIn(await storedText(database.db), secrets), [], 'in the database')
  t.same(leaksIn(seen.join('\n'), secrets), [], 'in the address of the app')
})
