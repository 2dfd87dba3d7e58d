import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { aCaller, until } from '../support/app.ts'
import { appFolder, portalFrom } from '../support/app-folder.ts'
import { installPackages } from '../support/packages.ts'
import { portOf, sendRaw } from '../support/raw-requests.ts'

// Plugins of others in an app, as their authors document them: `npm run check -- plugins`.

interface Client {
  on(event: 'message', listener: (data: Buffer) => void): void
  send(text: string): void
  close(): void
}
type ClientClass = new (url: string, options: { headers: Record<string, string> }) => Client

const packages = await installPackages('fastify-plugins')
const WebSocket = createRequire(path.join(packages, 'package.json'))('ws') as ClientClass

const plugin = (imports: string, ...lines: string[]) =>
  `import fp from 'fastify-plugin'\n${imports}\nexport default fp(async (app) => {\n${lines.join('\n')}\n})\n`
const routes = (...lines: string[]) => `export default async (app) => {\n${lines.join('\n')}\n}\n`
const csp = "default-src 'self'"

/** A portal with an app whose files import these packages, and pages in its folder `pages`. */
async function portalOf(t: Test, files: Record<string, string>, changes = {}) {
  const folder = appFolder(t, files)
  symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'))
  mkdirSync(path.join(folder, 'pages/assets'), { recursive: true })
  writeFileSync(path.join(folder, 'pages/index.html'), '<title>Orders</title>')
  writeFileSync(path.join(folder, 'pages/assets/app.js'), 'start()')
  return portalFrom(t, folder, changes)
}

t.test('@fastify/static serves the files of an app, and the portal its own paths', async (t) => {
  const app = await portalOf(t, {
    'plugins/pages.js': plugin(
      "import { allow } from 'portal'\nimport fastifyStatic from '@fastify/static'",
      `app.register(allow(fastifyStatic, { access: 'public', csp: "${csp}" }), { root: import.meta.dirname + '/../pages' })`
    )
  })
  const page = await app.inject('/')
  t.equal(page.body, '<title>Orders</title>')
  t.match(page.headers, { 'content-type': /^text\/html/, 'content-security-policy': csp })
  t.equal((await app.inject('/assets/app.js')).body, 'start()')
  t.equal((await app.inject({ method: 'HEAD', url: '/' })).statusCode, 200)
  t.match((await app.inject('/assets/none.js')).json(), { status: 404, code: 'not-found' })
  t.match((await app.inject('/api/none')).json(), { status: 404, code: 'not-found' })
  t.match((await app.inject('/%2e%2e/portal.js')).json(), { code: /request-rejected|not-found/ })
  t.equal((await app.inject('/api/auth/me')).statusCode, 401)
  t.equal((await app.inject('/health')).json().status, 'ok')
})

t.test('a single-page app gets its page for every path but those of the API', async (t) => {
  const app = await portalOf(t, {
    'plugins/pages.js': plugin(
      "import { allow } from 'portal'\nimport fastifyStatic from '@fastify/static'",
      'const pages = async (app) => {',
      "await app.register(fastifyStatic, { root: import.meta.dirname + '/../pages', wildcard: false })",
      "app.get('/*', (request, reply) => reply.sendFile('index.html'))",
      '}',
      `app.register(allow(pages, { access: 'public', csp: "${csp}" }))`
    )
  })
  for (const url of ['/', '/orders/1']) {
    t.equal((await app.inject(url)).body, '<title>Orders</title>', url)
  }
  t.equal((await app.inject('/assets/app.js')).body, 'start()')
  t.match((await app.inject('/api/none')).json(), { status: 404, code: 'not-found' })
})

t.test('files for signed-in users are limited as reads, not as changes', async (t) => {
  const app = await portalOf(
    t,
    {
      'plugins/pages.js': plugin(
        "import { allow } from 'portal'\nimport fastifyStatic from '@fastify/static'",
        `app.register(allow(fastifyStatic, { access: 'session' }), { root: import.meta.dirname + '/../pages', prefix: '/files' })`
      )
    },
    { THROTTLE_WRITES: { burst: 1, seconds: 3600 } }
  )
  const { call } = await aCaller(app)
  t.equal((await app.inject('/files/index.html')).statusCode, 401)
  for (const n of [1, 2, 3]) {
    t.equal((await call('GET', '/files/index.html')).statusCode, 200, String(n))
  }
})

t.test('a route of @fastify/websocket has its policy, and no other site opens it', async (t) => {
  const app = await portalOf(t, {
    'plugins/websocket.js': plugin(
      "import websocket from '@fastify/websocket'",
      'app.register(websocket)'
    ),
    'routes/news.js': routes(
      "app.get('/news', { websocket: true, config: { access: 'session' } }, (socket, request) => {",
      "socket.on('message', (text) => socket.send(request.user.email + ' ' + text))",
      '})'
    )
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${portOf(app)}`
  const open = (headers: Record<string, string>) =>
    new WebSocket(`ws://127.0.0.1:${portOf(app)}/api/news`, { headers })
  const refusal = async (headers: Record<string, string>) => {
    const client = open(headers) as never
    const [error] = await Promise.race([once(client, 'error'), once(client, 'open')])
    return String(error)
  }
  const { user, cookie, call } = await aCaller(app)
  t.match(await refusal({ origin }), /401/)
  t.match(await refusal({ cookie, origin: 'https://evil.example' }), /403/)
  t.match(await refusal({ cookie, origin: 'null', 'sec-fetch-site': 'cross-site' }), /403/)

  const clients = Array.from({ length: 55 }, () => open({ cookie, origin }))
  const answers: string[] = []
  for (const client of clients) client.on('message', (data) => answers.push(String(data)))
  await Promise.all(clients.map((client) => once(client as never, 'open')))
  clients[0]?.send('hello')
  await until(() => answers.length > 0)
  t.same(answers, [`${user.email} hello`])
  t.equal((await call('GET', '/api/user/sessions')).statusCode, 200, 'they hold no place of a read')
  for (const client of clients) client.close()
  t.notMatch(JSON.stringify(app.swagger()), /api\/news/)

  const asking = ['Connection: Upgrade', 'Upgrade: websocket', `Host: 127.0.0.1:${portOf(app)}`]
  for (const url of ['/api/news', '/api/auth/options', '/none']) {
    const bytes = [`GET ${url} HTTP/1.1`, ...asking, '', ''].join('\r\n')
    const { text } = await sendRaw(portOf(app), bytes)
    t.match(
      text,
      /^HTTP\/1\.1 (401|200|404) /,
      'the server ends a connection that gets no WebSocket'
    )
  }
})

t.test('@fastify/multipart takes an upload on a route of the app, and nowhere else', async (t) => {
  const app = await portalOf(t, {
    'plugins/multipart.js': plugin(
      "import multipart from '@fastify/multipart'",
      'app.register(multipart, { limits: { fileSize: 200_000 } })'
    ),
    'routes/photos.js': routes(
      "const schema = { response: { 200: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } } } }",
      "app.post('/photos', { config: { access: 'session' }, schema }, async (request) => {",
      'const photo = await request.file()',
      'return { name: photo.filename, size: (await photo.toBuffer()).length }',
      '})'
    )
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { cookie } = await aCaller(app)
  const send = (url: string, size: number, headers = {}) => {
    const body = new FormData()
    body.append('photo', new Blob([randomBytes(size)]), 'one.png')
    return fetch(`http://127.0.0.1:${portOf(app)}${url}`, {
      method: 'POST',
      body,
      headers: { cookie, ...headers }
    })
  }
  t.same(await (await send('/api/photos', 100_000)).json(), { name: 'one.png', size: 100_000 })
  t.equal((await send('/api/photos', 300_000)).status, 413)
  t.equal((await send('/api/photos', 10, { cookie: '' })).status, 401)
  t.equal((await send('/api/photos', 10, { origin: 'https://evil.example' })).status, 403)
  t.equal((await send('/api/auth/login', 10)).status, 415)
})
