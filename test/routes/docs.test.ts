import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { Test } from 'tap'
import { ownApp } from '../support/app.ts'
import { portOf, sendRaw } from '../support/raw-requests.ts'

const app = await ownApp(t)
const production = await ownApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com'
})
interface Answer {
  headers: Record<string, unknown>
  json(): object
}

function isProblem(t: Test, answer: Answer, status: number, code: string, what: string) {
  t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8', what)
  t.match(
    answer.json(),
    { status, code, instance: `urn:uuid:${String(answer.headers['x-request-id'])}` },
    what
  )
}

t.test('refusals of the reference page are problem documents', async (t) => {
  for (const url of [
    '/docs',
    '/docs/',
    '/docs/json',
    '/docs/yaml',
    '/docs/static/index.css',
    '/'
  ]) {
    isProblem(
      t,
      await app.inject({ url, headers: { host: 'evil.example' } }),
      421,
      'host-not-allowed',
      url
    )
    isProblem(t, await app.inject({ method: 'POST', url }), 405, 'method-not-allowed', url)
  }
})

t.test('unknown files of the reference page are not found', async (t) => {
  for (const url of [
    '/docs/static/nothing.js',
    '/docs/static/.env',
    '/docs/static/a/b',
    '/docs/nothing'
  ]) {
    isProblem(t, await app.inject(url), 404, 'not-found', url)
    t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 404, url)
  }
})

t.test('no path escapes the reference page or makes the portal fail', async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const tricks = [
    '../package.json',
    '%2e%2e/package.json',
    '..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '..%5cpackage.json',
    '..\\package.json',
    '%00',
    'index.css%00',
    './../../../package.json',
    '/etc/passwd',
    '%252e%252e/package.json',
    '~root',
    ':',
    '%ff'
  ]
  for (const trick of tricks) {
    const {
      answers: [answer]
    } = await sendRaw(
      portOf(app),
      `GET /docs/static/${trick} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    )
    t.ok(answer && answer.status >= 400 && answer.status < 500, `${trick} ${answer?.status}`)
    t.equal(answer?.headers['content-type'], 'application/problem+json; charset=utf-8', trick)
    t.notMatch(answer?.body, /package|node_modules|passwd|static/, trick)
  }
})

t.test('the reference page drops a query', async (t) => {
  for (const path of ['/docs', '/docs/']) {
    const redirected = await app.inject(`${path}?utm_source=mail`)
    t.same([redirected.statusCode, redirected.headers.location], [302, path])
    t.equal((await app.inject(path)).statusCode, 200)
  }
})

t.test('the root says where everything is, and the icon is served', async (t) => {
  t.match((await app.inject('/docs')).body, '<title>portal: API reference</title>')
  const root = await app.inject('/')
  t.match(root, { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  t.match(root.headers['content-security-policy'], /^default-src 'none'; style-src/)
  for (const part of ['/console', '/account/register', '/docs', '/mail', '/problems']) {
    t.match(root.body, `href="${part}"`)
  }
  t.match(root.body, /fetch\(&#39;\/api\/auth\/session&#39;\)|fetch\('\/api\/auth\/session'\)/)
  t.notMatch(root.body, 'admin-password', 'nobody has created an administrator')
  const icon = await app.inject('/favicon.ico')
  t.equal(
    (await app.inject(String(icon.headers.location))).headers['content-type'],
    'image/svg+xml'
  )
})

t.test('what a browser opens and nothing has is a page with ways on', async (t) => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const url of [
    '/nothing',
    '/problems/nothing',
    '/mail/019f0000-0000-7000-8000-000000000000',
    '/docs/nothing'
  ]) {
    const page = await app.inject({ url, headers })
    t.match(page, { statusCode: 404, headers: { 'content-type': 'text/html; charset=utf-8' } }, url)
    for (const place of ['/console', '/account', '/docs']) t.match(page.body, `href="${place}"`)
    t.match(page.body, String(page.headers['x-request-id']))
    isProblem(t, await app.inject(url), 404, String((await app.inject(url)).json().code), url)
  }
  const api = await app.inject({ url: '/api/admin/users', headers })
  isProblem(t, api, 401, 'unauthenticated', 'an operation of the API')
  const url = '/nothing'
  const inProduction = await production.inject({
    url,
    headers: { ...headers, host: 'portal.example.com' }
  })
  isProblem(t, inProduction, 404, 'not-found', 'in production')
})

t.test('the reference page is collapsed and compressed', async (t) => {
  const url = '/docs/static/swagger-ui-bundle.js'
  const plain = await app.inject(url)
  const zipped = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate' } })
  t.match(zipped.headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' })
  t.ok(gunzipSync(zipped.rawPayload).equals(plain.rawPayload))
  t.ok(zipped.rawPayload.length < plain.rawPayload.length / 2)
  const document = await app.inject({ url: '/docs/json', headers: { 'accept-encoding': 'gzip' } })
  t.same(
    JSON.parse(gunzipSync(document.rawPayload).toString()),
    (await app.inject('/docs/json')).json()
  )
  const settings = await app.inject('/docs/static/swagger-initializer.js')
  t.match(settings.body, /"docExpansion":\s*"none"/)
})

t.test('production has no reference page', async (t) => {
  for (const url of ['/', '/favicon.ico', '/docs', '/docs/static/index.css']) {
    isProblem(
      t,
      await production.inject({ url, headers: { host: 'portal.example.com' } }),
      404,
      'not-found',
      url
    )
  }
})

t.test('the reference page is served in development only', async (t) => {
  const page = await app.inject('/docs')
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-type'], 'text/html')
  t.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self'/)
  t.match(page.headers, app.pageHeaders)
  t.equal((await app.inject('/docs/static/swagger-ui-bundle.js')).statusCode, 200)
  for (const url of [
    '/docs',
    '/docs/',
    '/docs/json',
    '/docs/static/index.html',
    '/api/admin',
    '/api/admin/users'
  ]) {
    const response = await production.inject(url)
    t.equal(response.statusCode, 404, url)
    t.match(response.json(), { code: 'not-found' })
  }
})
