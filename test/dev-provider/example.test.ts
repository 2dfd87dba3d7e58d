import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Test } from 'tap'
import { loadConfig } from '../../src/config/config.ts'
import { exampleProviders } from '../../src/config/development-files.ts'
import { ownApp } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { begin, comeBack, cookieHeader, goThrough } from '../support/providers/flow.ts'
import type { Jar } from '../support/providers/flow.ts'
import { walk } from '../support/providers/walk.ts'
import { files, importsOf, textOf } from '../support/sources.ts'

/** A development server on loopback, as without PROVIDERS. */
async function startDevelopment(test: Test) {
  const port = await freePort()
  const PUBLIC_ORIGIN = `http://localhost:${port}`
  const app = await ownApp(test, {
    PUBLIC_ORIGIN,
    ACCOUNT_URL: `${PUBLIC_ORIGIN}/account`,
    providers: exampleProviders({ PUBLIC_ORIGIN })
  })
  await app.listen({ host: '127.0.0.1', port })
  test.teardown(() => app.server.closeAllConnections())
  return { app, origin: PUBLIC_ORIGIN }
}

t.test(
  'the three people of the example sign in, each as far as a provider like this lets',
  async (t) => {
    const { app } = await startDevelopment(t)
    const options = await app.inject('/api/auth/options')
    t.same(options.json().providers, [{ key: 'example', kind: 'oidc', name: 'Example' }])
    const enter = async (person?: string) => {
      const jar: Jar = new Map()
      const { problem } = await goThrough(app, jar, {
        key: 'example',
        ...(person !== undefined && { person })
      })
      const cookie = `portal_session=${jar.get('portal_session')}`
      const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
      return { problem, me }
    }
    const nora = await enter('nora')
    t.match(nora.me.json(), {
      user: { email: 'nora.field@example.com', name: 'Nora Field' },
      session: { assurance: 1 }
    })
    const lea = await enter('lea')
    t.match(lea.me.json(), { user: { name: 'Lea Stone' }, session: { assurance: 2 } })
    const tom = await enter('tom')
    t.equal(tom.problem, 'provider-email-missing', 'the provider says that it is not confirmed')
    t.equal(tom.me.statusCode, 401)
    t.equal((await enter()).problem, 'provider-refused', 'nobody was chosen')
    const again = await enter('nora')
    t.equal(again.me.json().user.id, nora.me.json().user.id)
  }
)

t.test('one window can sign in as one person after the other', async (t) => {
  const { app } = await startDevelopment(t)
  const ofPortal: Jar = new Map()
  const ofProvider: Jar = new Map()
  for (const person of ['nora', 'lea', 'lea', 'tom', 'nora']) {
    const { url = '' } = await begin(app, ofPortal, { key: 'example' })
    const { problem } = await comeBack(app, ofPortal, await walk(url, person, ofProvider))
    t.equal(problem, person === 'tom' ? 'provider-email-missing' : undefined, person)
    if (person === 'tom') continue
    const cookie = cookieHeader(ofPortal)
    const { user } = (await app.inject({ url: '/api/auth/me', headers: { cookie } })).json()
    t.match(user.email, person)
    await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } })
  }
})

t.test('its page is for people, and allows no script', async (t) => {
  const { app, origin } = await startDevelopment(t)
  const { url = '' } = await begin(app, new Map(), { key: 'example' })
  t.match(url, `${origin}/dev-provider/auth?`)
  const first = await fetch(url, { redirect: 'manual' })
  const location = first.headers.get('location') ?? ''
  const cookie = first.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const page = await fetch(location, { headers: { cookie } })
  t.equal(page.headers.get('x-content-type-options'), 'nosniff', 'as all pages of the portal')
  t.match(page.headers.get('content-security-policy'), "default-src 'none'")
  t.notMatch(page.headers.get('content-security-policy'), 'script-src')
  const html = await page.text()
  for (const name of ['Nora Field', 'Tom Rivers', 'Lea Stone']) t.match(html, name)
  t.notMatch(html, '<script')
  const late = await fetch(location)
  t.equal(late.status, 400)
  t.match(await late.text(), 'This sign-in has ended')
})

t.test('the example is offered in development without PROVIDERS, and nowhere else', async (t) => {
  t.match(loadConfig({ NODE_ENV: 'development' }).providers, [
    { key: 'example', issuer: 'http://localhost:3000/dev-provider' }
  ])
  const other = await ownApp(t)
  t.equal((await other.inject('/dev-provider/jwks')).statusCode, 404, 'with other providers')
  const production = {
    DATABASE_URL: 'pglite:memory',
    PUBLIC_ORIGIN: 'https://portal.example',
    SECRET_KEYS: `a:${randomBytes(32).toString('base64url')}`
  }
  t.same(loadConfig({ ...production }).providers, [])
  t.same(loadConfig({ ...production, NODE_ENV: 'production' }).providers, [])
  // Even where the configuration named it.
  const providers = exampleProviders({ PUBLIC_ORIGIN: 'http://localhost:3000' })
  const app = await ownApp(t, { development: false, providers })
  for (const path of ['/dev-provider/auth', '/dev-provider/.well-known/openid-configuration']) {
    t.equal((await app.inject(path)).statusCode, 404, path)
  }
})

t.test('the library of the example is loaded when somebody first signs in with it', async (t) => {
  const direct = files.filter((file) => /^import (?!type ).*'oidc-provider'/m.test(textOf(file)))
  t.same(direct, ['src/dev-provider/provider.ts'])
  const importing = (target: string) =>
    files.filter((file) => importsOf(file).some((each) => each === target))
  t.same(importing('src/dev-provider/provider.ts'), ['src/dev-provider/example.ts'])
  t.same(importing('src/dev-provider/example.ts'), ['routes/dev-provider.ts'])
  t.match(textOf('routes/dev-provider.ts'), "await import('../src/dev-provider/example.ts')")
})
