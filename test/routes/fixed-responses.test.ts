import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { ownApp, testApp } from '../support/app.ts'

const app = await testApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  ALLOWED_HOSTS: ['localhost'],
  ACCOUNT_PAGES: 'on',
  ACCOUNT_URL: 'https://portal.example.com/account'
})
const document = (await app.inject('/openapi.json')).json<{
  paths: Record<string, { get?: { 'x-access': string; parameters?: { required?: boolean }[] } }>
}>()
/** Reads that need neither a caller nor a parameter: the same for everybody. */
const same = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get?.['x-access'] === 'public' &&
  !path.includes('{') &&
  !get.parameters?.some(({ required }) => required)
    ? [path]
    : []
)
const style = /\/account\/assets\/account-[^"]+\.css/.exec((await app.inject('/account')).body)
/** They depend on the state of the instance, and on a cookie, or lead elsewhere. */
const varying = [
  '/health',
  '/health/live',
  '/api/auth/login/pending',
  '/.well-known/change-password'
]

t.test('public responses that never change have a tag, and are 304 for who has them', async (t) => {
  const paths = [...same.filter((path) => !varying.includes(path)), style?.[0] ?? '']
  t.ok(paths.length >= 4 && paths.includes('/openapi.json'), paths.join(' '))
  for (const url of paths) {
    const first = await app.inject(url)
    const tag = String(first.headers.etag)
    t.match(tag, /^"[\w-]{43}"$/, url)
    t.match(first.headers['cache-control'], /^public, (no-cache|max-age=\d+(, immutable)?)$/, url)
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': header } })
      t.same([again.statusCode, again.body, again.headers.etag], [304, '', tag], `${url} ${header}`)
    }
    const other = await app.inject({ url, headers: { 'if-none-match': '"other"' } })
    t.same([other.statusCode, other.body], [200, first.body], url)
  }
})

t.test('each encoding has its own tag and the same content', async (t) => {
  const plain = await app.inject('/openapi.json')
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const encoding of ['br', 'gzip'] as const) {
    const headers = { 'accept-encoding': encoding }
    const packed = await app.inject({ url: '/openapi.json', headers })
    t.match(packed.headers, { 'content-encoding': encoding, vary: /accept-encoding/ })
    t.equal(unpacked[encoding](packed.rawPayload).toString(), plain.body)
    t.not(packed.headers.etag, plain.headers.etag)
    const tag = { 'if-none-match': String(packed.headers.etag) }
    t.equal((await app.inject({ url: '/openapi.json', headers: tag })).statusCode, 200)
    const both = await app.inject({ url: '/openapi.json', headers: { ...headers, ...tag } })
    t.equal(both.statusCode, 304)
  }
})

t.test('the API document is written once, however often it is read', async (t) => {
  const own = await ownApp(t)
  const first = await own.inject('/openapi.json')
  own.swagger = () => {
    throw new Error('written again')
  }
  const again = await own.inject('/openapi.json')
  t.same([again.statusCode, again.body], [200, first.body])
})
