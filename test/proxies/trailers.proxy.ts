import { once } from 'node:events'
import { connect } from 'node:http2'
import type { OutgoingHttpHeaders } from 'node:http2'
import t from 'tap'
import { freePort } from '../support/postgres.ts'
import { sendRaw } from '../support/raw-requests.ts'
import { valuesOf } from './asking.ts'
import { startHaproxy } from './proxies.ts'
import { aWorld, theProxies } from './world.ts'

// A client can send Portal-User after the body as well, where a proxy that replaces headers may not
// look. Some readers add trailers to the headers.
const world = await aWorld(t)
const { requests } = world.service
const ada = await world.signedInUser()
const forged = () =>
  requests.filter(({ headers }) => headers.some(([, value]) => value.includes('forged')))
const trailers = ['Portal-User', 'portal-permissions', 'Portal_User', 'Portal-New']

for (const { name, port } of await theProxies(t, world)) {
  t.test(`${name}: Portal-* trailers of a client never reach the service`, async (t) => {
    for (const announced of [[], [`Trailer: ${trailers.join(', ')}`, 'TE: trailers']]) {
      const lines = [
        'POST /api/invoices/7 HTTP/1.1',
        'Host: localhost',
        `Cookie: ${ada.cookie}`,
        'Transfer-Encoding: chunked',
        ...announced,
        'Connection: close',
        '',
        '5\r\nhello\r\n0',
        ...trailers.map((each) => `${each}: forged`),
        '\r\n'
      ]
      const before = requests.length
      const { answers } = await sendRaw(port, lines.join('\r\n'))
      if (name === 'HAProxy') {
        t.match(answers, [{ status: 411, body: /"code":"length-required"/ }])
        t.equal(requests.length, before)
      } else {
        t.match(answers, [{ status: 200 }])
        t.match(requests.slice(before), [{ body: 'hello' }])
        t.same(valuesOf(requests.at(-1), 'portal-user'), [ada.id])
      }
      t.same(forged(), [])
    }
  })
}

t.test('HAProxy: nor do those of a request over HTTP/2', async (t) => {
  const port = await freePort()
  const { service, portals } = world
  await startHaproxy(
    t,
    { portals, service: service.port, app: service.port },
    { '  option forwardfor': `  bind 127.0.0.1:${port} proto h2\n  option forwardfor` }
  )
  const session = connect(`http://127.0.0.1:${port}`)
  // HAProxy closes the connection when trailers arrive after its refusal.
  session.on('error', () => {})
  t.teardown(() => session.destroy())
  const send = async (headers: OutgoingHttpHeaders, body?: string, withTrailers = false) => {
    const before = requests.length
    const sent = { ':path': '/api/invoices/7', ':authority': 'localhost', cookie: ada.cookie }
    const stream = session.request(
      { ...sent, ...headers },
      { waitForTrailers: withTrailers, endStream: body === undefined }
    )
    stream.on('error', () => {})
    stream.on('wantTrailers', () => stream.sendTrailers({ 'portal-user': 'forged' }))
    const answered = once(stream, 'response') as Promise<[{ ':status': number }]>
    if (body !== undefined) stream.end(body)
    const [{ ':status': status }] = await answered
    stream.resume()
    return { status, seen: requests.slice(before) }
  }
  const post = { ':method': 'POST' }
  t.match(await send({}), { status: 200, seen: [{ method: 'GET' }] })
  t.match(await send(post), { status: 200, seen: [{ method: 'POST', body: '' }] })
  t.match(await send({ ...post, 'content-length': 5 }, 'hello'), {
    status: 200,
    seen: [{ method: 'POST', body: 'hello' }]
  })
  t.match(await send({ ...post, 'content-length': 5 }, 'hello', true), { status: 200 })
  t.same(forged(), [], 'a request of a known length has no trailers in HTTP/1.1')
  t.match(await send(post, 'hello', true), { status: 411, seen: [] })
  t.same(forged(), [])
})
