import { readFileSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { bundleOf } from '../../src/http/pages/bundles.ts'
import { mark } from '../../src/http/pages/mark.ts'
import { testApp } from '../support/app.ts'
import { root } from '../support/root.ts'
import { withinLimit } from '../support/size-limits.ts'

const app = await testApp(t)
const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' }

/** The addresses of the script and the style sheet that a page loads. */
const filesOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="(\/[^"]+\/assets\/[^"]+)"/g)].map(([, url = '']) => url)

t.test('every address below /console is the same page, with a strict policy', async (t) => {
  const page = await app.inject('/console')
  t.match(page, { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  t.match(page.headers, {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
      "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types default; worker-src blob:",
    'permissions-policy':
      /^publickey-credentials-get=\(self\), publickey-credentials-create=\(self\), [a-z=(), -]+camera=\(\)/,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store'
  })
  t.notMatch(page.headers['permissions-policy'], 'bluetooth', 'which Chromium does not know')
  t.notMatch(page.body, /<style| style=|<script(?![^>]* src=)|\son\w+=|https?:/, 'nothing inline')
  for (const url of ['/console/', '/console/users?q=ada', '/console/users/1/%2e%2e/x']) {
    t.equal((await app.inject(url)).body, page.body, url)
  }
})

t.test('the browser asks who is signed in along with the script, as the script does', async (t) => {
  const { body } = await app.inject('/console')
  const early = [...body.matchAll(/<link rel="preload" href="([^"]+)" ([^>]+)>/g)]
  t.same(
    early.map(([, url, mode]) => [url, mode]),
    [
      ['/api/auth/options', 'as="fetch" crossorigin="use-credentials"'],
      ['/api/auth/session', 'as="fetch" crossorigin="use-credentials"']
    ]
  )
})

t.test('the mark is the icon of the page, and opens the README', async (t) => {
  const { body } = await app.inject('/console')
  const [, icon = ''] = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(body) ?? []
  t.equal(decodeURIComponent(icon), mark)
  t.equal(readFileSync(path.join(root, 'docs/images/mark.svg'), 'utf8').trim(), mark)
})

t.test(
  'the page names the first administrator where its password is kept, and no other',
  async (t) => {
    const { body } = await app.inject('/console')
    t.match(body, 'development')
    t.notMatch(body, 'firstAdmin', 'nobody has created it for this database')
  }
)

t.test('script and style have the hash of their content in the name, and stay small', async (t) => {
  const urls = filesOf((await app.inject('/console')).body)
  t.match(urls, [
    /^\/console\/assets\/console-[A-Z0-9]{8}\.css$/,
    /^\/console\/assets\/console-[A-Z0-9]{8}\.js$/
  ])
  let size = 0
  for (const url of urls) {
    const file = await app.inject(url)
    t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.equal(
      file.headers['content-type'],
      `text/${url.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`
    )
    const inEncoding = (header: string) =>
      app.inject({ url, headers: { 'accept-encoding': header } })
    const [zipped, best] = await Promise.all(['gzip;q=0.5, br;q=0', 'gzip, br'].map(inEncoding))
    t.same(
      [zipped, best].map((each) => each?.headers['content-encoding']),
      ['gzip', 'br']
    )
    t.match([file, zipped, best], Array(3).fill({ headers: { vary: 'accept-encoding' } }))
    t.ok(gunzipSync(zipped!.rawPayload).equals(file.rawPayload))
    t.ok(brotliDecompressSync(best!.rawPayload).equals(file.rawPayload))
    for (const encoding of ['xbr', 'gzip;q=0, br;q=0', 'identity, gzip;q=0.000', 'xgzip']) {
      const plain = await app.inject({ url, headers: { 'accept-encoding': encoding } })
      t.equal(plain.headers['content-encoding'], undefined, encoding)
    }
    size += best!.rawPayload.length
    const head = await app.inject({ method: 'HEAD', url })
    t.same([head.statusCode, head.body], [200, ''])
    t.equal(head.headers['content-length'], file.headers['content-length'])
  }
  withinLimit(t, 'compressed bytes of the console', { size, limit: 62 * 1024 })
})

t.test('files are looked up by name: other addresses below assets do not exist', async (t) => {
  for (const name of [
    '',
    'main.tsx',
    'console.js',
    '../../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fusers.tsx',
    '..%5cpackage.json',
    '__proto__',
    'constructor',
    'a/b',
    '%00'
  ]) {
    const answer = await app.inject(`/console/assets/${name}`)
    const isPage = answer.statusCode === 200 // `..` is resolved before it is sent
    t.ok(isPage ? name === '../../package.json' : answer.statusCode >= 400, name)
    if (!isPage) t.match(answer.json(), { status: answer.statusCode }, name)
  }
})

t.test('the page is refused as other pages are, and is not in the API document', async (t) => {
  for (const url of [
    '/console',
    '/console/users',
    filesOf((await app.inject('/console')).body)[0]
  ]) {
    const foreign = await app.inject({ url: url ?? '', headers: { host: 'evil.example' } })
    t.match(foreign.json(), { status: 421, code: 'host-not-allowed' })
    const posted = await app.inject({ method: 'POST', url: url ?? '' })
    t.match(posted.json(), { status: 405, code: 'method-not-allowed' })
  }
  t.notMatch(Object.keys((await app.inject('/openapi.json')).json().paths), [/^\/console/])
})

t.test('production has no console: its addresses are like any others', async (t) => {
  const server = await testApp(t, production)
  const headers = { host: 'portal.example.com' }
  const files = filesOf((await app.inject('/console')).body)
  const unknown = await server.inject({ url: '/nothing', headers })
  for (const url of [
    '/console',
    '/console/',
    '/console/users',
    '/CONSOLE',
    '/%63onsole',
    ...files
  ]) {
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      const answer = await server.inject({ method, url, headers })
      t.equal(answer.statusCode, 404, `${method} ${url}`)
      if (method === 'HEAD') continue
      const { instance, ...problem } = answer.json()
      const { instance: other, ...expected } = unknown.json()
      t.same(problem, expected)
    }
  }
})

t.test(
  'a changed source is bundled again with the next page, an unchanged one is not',
  async (t) => {
    const load = bundleOf('console')
    const first = await load?.()
    t.equal(await load?.(), first)
    const source = path.join(root, 'src/pages/console/main.tsx')
    const { atime, mtime } = statSync(source)
    t.teardown(() => utimesSync(source, atime, mtime))
    utimesSync(source, atime, new Date(mtime.getTime() + 1000))
    const second = await load?.()
    t.not(second, first)
    t.same(second, first)
  }
)
