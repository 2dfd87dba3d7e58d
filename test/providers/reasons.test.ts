import { eq } from 'drizzle-orm'
import t from 'tap'
import { oauthReason } from '../../src/outbound/reasons.ts'
import { activity } from '../../db/schema/activity.ts'
import { createProviderClient } from '../../src/outbound/provider-client.ts'
import { ownApp, testDatabase } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startGithub } from '../support/providers/github.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import type { Trouble } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'

interface Line {
  msg: string
  provider?: string
  reason?: string
}
const linesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** An application with a provider, and what the last sign-in left for operators. */
async function watched(
  t: Parameters<typeof ownApp>[0],
  { keys = ['acme'], secret }: { keys?: string[]; secret?: string } = {}
) {
  const acme = await startOidcProvider(t)
  const { log, output } = captureLog()
  const credential = secret === undefined ? {} : { credential: { secret } }
  const providers = keys.map((key) =>
    configured.oidc(acme, { key, trustsEmail: 'claim', ...credential })
  )
  const app = await ownApp(t, { providers }, await testDatabase(t), log)
  const left = async () => {
    const records = await app.db
      .select({ reason: activity.reason })
      .from(activity)
      .where(eq(activity.action, 'auth.provider-refused'))
    return {
      reason: records.at(-1)?.reason,
      lines: linesOf(output()).filter(({ reason }) => reason !== undefined)
    }
  }
  return { acme, app, left }
}

t.test('what the token endpoint answers is a reason in the record and in one line', async (t) => {
  const { acme, app, left } = await watched(t)
  let count = 0
  for (const [trouble, reason, problem] of [
    ['html', 'not-json', 'provider-refused'],
    [404, 'status-404', 'provider-refused'],
    [503, 'status-503', 'provider-unavailable'],
    ['redirect', 'redirect', 'provider-unavailable'],
    ['close', 'unreachable', 'provider-unavailable']
  ] as [Trouble, string, string][]) {
    acme.trouble = () => undefined
    const browser = aBrowser(app)
    const { url = '' } = await begin(app, browser.jar, { key: 'acme' })
    const callback = await walk(url, 'nora')
    acme.trouble = (path) => (path === '/token' ? trouble : undefined)
    t.equal((await comeBack(app, browser.jar, callback)).problem, problem)
    const { reason: recorded, lines } = await left()
    t.equal(recorded, reason)
    t.equal(lines.length, (count += 1), 'one line')
    t.match(lines.at(-1), {
      provider: 'acme',
      reason,
      msg: problem
    })
  }
})

t.test('a wrong client secret is told apart from a key that is not published', async (t) => {
  const wrong = await watched(t, { secret: 'not the secret' })
  t.equal((await aBrowser(wrong.app).through('acme', 'nora')).problem, 'provider-refused')
  t.match(await wrong.left(), { reason: 'invalid-client', lines: [{ reason: 'invalid-client' }] })

  const { acme, app, left } = await watched(t)
  acme.alter.keys = () => []
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'provider-refused')
  t.match(await left(), { reason: 'key-not-found', lines: [{ reason: 'key-not-found' }] })
})

t.test('a start that cannot read the provider says why in one line', async (t) => {
  const rows: [key: string, trouble: Trouble | undefined, reason: string][] = [
    ['of-html', 'html', 'not-json'],
    ['of-404', 404, 'status-404'],
    ['of-429', 429, 'status-429'],
    ['of-endless', 'endless', 'too-large'],
    ['of-another', undefined, 'other-issuer']
  ]
  const { acme, app, left } = await watched(t, { keys: rows.map(([key]) => key) })
  acme.alter.discovery = (body) => ({ ...body, issuer: 'https://evil.example' })
  for (const [provider, trouble] of rows) {
    acme.trouble = () => trouble
    t.equal((await begin(app, new Map(), { key: provider })).response.statusCode, 503, provider)
  }
  const msg = 'provider-unavailable'
  const { lines } = await left()
  t.match(
    lines,
    rows.map(([, , reason]) => ({ reason, msg, words: /./ }))
  )
  t.equal(lines.length, rows.length)
})

t.test('a user who returns with a code cannot blame the provider', (t) => {
  for (const code of ['signature', 'logged_out', 'invalid_client', 'invalid_grant']) {
    t.equal(oauthReason(code, 'user'), 'error', code)
  }
  t.equal(oauthReason('signature'), 'error', 'nor can an answer name a reason of the portal')
  t.equal(oauthReason('invalid_client'), 'invalid-client')
  t.equal(oauthReason('login_required', 'user'), 'login-required')
  t.equal(oauthReason('access_denied', 'user'), 'denied')
  t.end()
})

t.test('a user who cancels is recorded, and no line of the log', async (t) => {
  const { app, left } = await watched(t)
  t.equal((await aBrowser(app).through('acme')).problem, 'provider-refused')
  t.same(await left(), { reason: 'denied', lines: [] })
})

t.test('a logout token that is refused says why in one line', async (t) => {
  const { acme, app, left } = await watched(t)
  const send = async (token: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/providers/acme/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString()
    })
  const expected = {
    audience: { aud: 'another' },
    issuer: { iss: 'https://evil.example' },
    clock: { iat: 1, exp: 2 },
    'logout-token': { events: {} }
  }
  for (const changes of Object.values(expected)) {
    const token = await acme.logoutToken('nora', ({ header, claims }) => ({
      header,
      claims: { ...claims, ...changes }
    }))
    t.equal((await send(token)).statusCode, 400)
  }
  t.equal((await send('x.y.z')).statusCode, 400)
  t.same(
    (await left()).lines.map(({ reason }) => reason),
    [...Object.keys(expected), 'logout-token']
  )
})

t.test('a provider that requires pushed requests gets them', async (t) => {
  const acme = await startOidcProvider(t, { pushed: true })
  acme.alter.discovery = (body) => ({ ...body, require_pushed_authorization_requests: true })
  const app = await ownApp(t, { providers: [configured.oidc(acme, { trustsEmail: 'claim' })] })
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
  t.ok(acme.requests.includes('/request'), 'pushed')
})

t.test('GitHub says with status 200 that it refuses the secret', async (t) => {
  const github = await startGithub(t)
  const right = configured.github(github)
  const wrong = { ...right, credential: { secret: 'not the secret' } }
  const app = await ownApp(t, { providers: [wrong] })
  t.equal((await aBrowser(app).through('github', 'nora')).problem, 'provider-refused')
  const [record] = await app.db
    .select({ reason: activity.reason })
    .from(activity)
    .where(eq(activity.action, 'auth.provider-refused'))
  t.equal(record?.reason, 'invalid-client')
  const client = createProviderClient({
    development: true,
    redirectUriOf: (key) => `http://localhost:3000/api/auth/providers/${key}/callback`
  })
  t.match(await client.examine(wrong), { faults: ['invalid-client'] })
  t.match(await client.examine({ ...right, key: 'other' }), { faults: [] })
})
