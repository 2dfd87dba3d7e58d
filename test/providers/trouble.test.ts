import t from 'tap'
import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { ownApp, until } from '../support/app.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { portalOf } from '../support/providers/portal.ts'
import { walk } from '../support/providers/walk.ts'

const limits = {
  THROTTLE_PROVIDER: { burst: 3, seconds: 600 },
  THROTTLE_LOGIN_SOURCE: { burst: 2, seconds: 600 },
  THROTTLE_LOGIN_DEVICE: { burst: 2, seconds: 600 }
}
const aPortal = (t: Test, config: Partial<Config> = {}) =>
  portalOf(t, { acme: { trustsEmail: 'claim' } }, config)

t.test('without a usable answer a start is refused with 503, and nothing else is', async (t) => {
  const acme = await startOidcProvider(t)
  const troubles = ['endless', 'redirect', 'close', 'html', 500, 429, 404] as const
  const providers = troubles.map((trouble) => configured.oidc(acme, { key: `with-${trouble}` }))
  const app = await ownApp(t, { providers })
  for (const trouble of troubles) {
    const key = `with-${trouble}`
    acme.trouble = () => trouble
    const heap = process.memoryUsage().rss
    const { response } = await begin(app, new Map(), { key })
    t.match(response.json(), { status: 503, code: 'provider-unavailable' }, key)
    t.equal(response.headers['retry-after'], '10')
    // An endless answer would take gigabytes; the garbage of other tests takes less than this.
    t.ok(process.memoryUsage().rss - heap < 512 * 1024 * 1024, 'memory stays flat')
    t.equal((await app.inject('/api/auth/options')).statusCode, 200)
    const asked = acme.requests.length
    t.ok(asked > 0, key)
    await begin(app, new Map(), { key })
    t.equal(acme.requests.length, asked, 'the next ones do not wait for it')
  }
})

t.test(
  'a provider that fails at the end leads back, and the attempt counts for nothing',
  async (t) => {
    const { acme, app } = await aPortal(t, { THROTTLE_LOGIN_SOURCE: { burst: 1, seconds: 600 } })
    for (const trouble of ['endless', 'redirect', 'close', 500] as const) {
      delete acme.alter.discovery
      acme.trouble = () => undefined
      const browser = aBrowser(app)
      const { url = '' } = await begin(app, browser.jar, { key: 'acme' })
      const callback = await walk(url, 'nora')
      acme.trouble = (path) => (path === '/token' ? trouble : undefined)
      const { problem } = await comeBack(app, browser.jar, callback)
      t.equal(problem, 'provider-unavailable', String(trouble))
    }
    acme.trouble = () => undefined
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined, 'there is still room')
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined, 'given back')
    t.equal((await aBrowser(app).through('acme', 'tom')).problem, 'provider-email-missing')
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'rate-limited')
  }
)

t.test('starts from one address are limited', async (t) => {
  const { app } = await aPortal(t, limits)
  const codes = []
  for (let i = 0; i < 4; i++) {
    codes.push((await begin(app, new Map(), { key: 'acme' })).response.statusCode)
  }
  t.same(codes, [200, 200, 200, 429])
})

t.test('sign-ins that succeed do not use up the limit of an address', async (t) => {
  const { app } = await aPortal(t, limits)
  for (let i = 0; i < 5; i++) {
    t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
  }
})

t.test('what others do at an address does not stop a known browser there', async (t) => {
  const { app } = await aPortal(t, limits)
  const known = aBrowser(app)
  await known.through('acme', 'nora')
  for (let i = 0; i < 2; i++) await aBrowser(app).through('acme') // cancelled
  t.equal((await aBrowser(app).through('acme', 'lea')).problem, 'rate-limited', 'the return')
  t.equal((await begin(app, new Map(), { key: 'acme' })).response.statusCode, 429, 'the start')
  t.equal((await known.through('acme', 'nora')).problem, undefined, 'starts and returns')

  for (let i = 0; i < 3; i++) await begin(app, known.jar, { key: 'acme' })
  t.equal((await begin(app, known.jar, { key: 'acme' })).response.statusCode, 429, 'its own limit')
})

t.test('the returns of known browsers have the limit of logins from one', async (t) => {
  const { app } = await aPortal(t, limits)
  const known = aBrowser(app)
  await known.through('acme', 'nora')
  const problems = []
  for (let i = 0; i < 3; i++) problems.push((await known.through('acme')).problem) // cancelled
  t.same(problems, ['provider-refused', 'provider-refused', 'rate-limited'])
  const other = await aBrowser(app).through('acme', 'nora')
  t.equal(other.problem, undefined, 'another browser has room')
})

t.test('returns wait for a slow provider, and each counts', async (t) => {
  const { acme, app } = await aPortal(t)
  const callbacks = []
  for (let i = 0; i < 24; i++) {
    const { jar } = aBrowser(app)
    const { url = '' } = await begin(app, jar, { key: 'acme' })
    callbacks.push({ jar, callback: await walk(url, 'nora') })
  }
  acme.alter.idToken = async (token) => {
    const at = performance.now()
    await until(() => performance.now() - at > 1500)
    return token
  }
  const ends = await Promise.all(callbacks.map(({ jar, callback }) => comeBack(app, jar, callback)))
  t.same([...new Set(ends.map(({ problem }) => problem))], [undefined])
})
