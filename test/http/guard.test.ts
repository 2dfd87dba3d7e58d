import t from 'tap'
import { createGuard } from '../../src/http/guard.ts'
import type { Guarded } from '../../src/http/guard.ts'

const config = {
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'https://portal.example.com',
  ALLOWED_HOSTS: ['portal.internal'],
  development: false
}
const guard = createGuard(config)

/** A request as parsed by Node. */
function aRequest(changes: Partial<Guarded['raw']> = {}, probe?: true): Guarded {
  const headers = { host: 'portal.example.com', ...changes.headers }
  return {
    raw: {
      httpVersion: '1.1',
      method: 'GET',
      url: '/',
      rawHeaders: Object.entries(headers).flat().map(String),
      ...changes,
      headers
    },
    routeOptions: { config: probe ? { probe } : {} }
  }
}
const codeOf = (request: Guarded, by = guard) => by(request)?.code

t.test('an ordinary request passes', async (t) => {
  t.equal(codeOf(aRequest()), undefined)
  t.equal(codeOf(aRequest({ method: 'POST', headers: { 'content-length': '2' } })), undefined)
  t.equal(
    codeOf(aRequest({ method: 'POST', headers: { 'transfer-encoding': 'chunked' } })),
    undefined
  )
})

t.test('two readers of one message could disagree about these', async (t) => {
  const malformed: Record<string, Partial<Guarded['raw']>> = {
    'an absolute address': { url: 'http://portal.example.com/' },
    'a fragment': { url: '/#x' },
    'another transfer encoding': {
      method: 'POST',
      headers: { 'transfer-encoding': 'gzip, chunked' }
    },
    'GET with a body': { headers: { 'content-length': '2' } },
    'HEAD with a chunked body': { method: 'HEAD', headers: { 'transfer-encoding': 'chunked' } },
    'two hosts': { rawHeaders: ['Host', 'portal.example.com', 'hOST', 'portal.example.com'] }
  }
  for (const [what, changes] of Object.entries(malformed)) {
    t.equal(codeOf(aRequest(changes)), 'malformed-request', what)
  }
  t.equal(codeOf(aRequest({ url: `/${'x'.repeat(2047)}` })), undefined)
  t.equal(codeOf(aRequest({ url: `/${'x'.repeat(2048)}` })), 'uri-too-long')
  const rawHeaders = (count: number) => ['host', 'x', ...Array(2 * (count - 1)).fill('x')]
  t.equal(codeOf(aRequest({ rawHeaders: rawHeaders(100) })), undefined)
  t.equal(codeOf(aRequest({ rawHeaders: rawHeaders(101) })), 'headers-too-large')
})

t.test('versions of HTTP other than 1.0 and 1.1 are not supported', async (t) => {
  for (const httpVersion of ['0.9', '2.0', '1.2']) {
    t.equal(codeOf(aRequest({ httpVersion })), 'http-version', httpVersion)
    t.equal(codeOf(aRequest({ httpVersion }, true)), 'http-version', `${httpVersion}, as a probe`)
  }
  t.equal(codeOf(aRequest({ httpVersion: '1.0' })), undefined)
})

t.test('the portal answers to its own names only, on any port', async (t) => {
  const host = (name: string) => aRequest({ headers: { host: name } })
  for (const name of ['portal.example.com:8443', 'PORTAL.example.com', 'portal.internal']) {
    t.equal(codeOf(host(name)), undefined, name)
  }
  for (const name of [
    'evil.example',
    'localhost',
    '127.0.0.1',
    'portal.example.com.evil.example'
  ]) {
    t.equal(codeOf(host(name)), 'host-not-allowed', name)
    t.equal(codeOf(host(name)), 'host-not-allowed', `${name} again`)
  }
  const development = createGuard({ ...config, development: true })
  for (const name of ['localhost:3000', '127.0.0.1:3000', '[::1]', 'my.localhost']) {
    t.equal(codeOf(host(name), development), undefined, name)
  }
})

t.test('a probe may name any host, in HTTP/1.0 none, and other requests need one', async (t) => {
  const none = { headers: { host: undefined }, rawHeaders: [] }
  t.equal(codeOf(aRequest(none)), 'malformed-request')
  t.equal(codeOf(aRequest(none, true)), 'malformed-request')
  t.equal(codeOf(aRequest({ ...none, httpVersion: '1.0' })), 'malformed-request')
  t.equal(codeOf(aRequest({ ...none, httpVersion: '1.0' }, true)), undefined)
  t.equal(codeOf(aRequest({ headers: { host: '10.0.0.7:3000' } }, true)), undefined)
})
