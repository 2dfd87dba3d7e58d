import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import t from 'tap'
import { parseMailUrl } from '../../src/domain/mail/addresses.ts'
import { createTransport } from '../../src/domain/mail/transport.ts'
import { script } from './script.ts'
import { startMailServer } from './server.ts'
import type { Stage } from './server.ts'
import { message, transportTo } from './transports.ts'

const inParallel = <T>(list: T[], work: (each: T) => Promise<void>) => Promise.all(list.map(work))
const stages: Stage[] = ['greeting', 'tls', 'auth', 'mail', 'rcpt', 'data', 'kept']
/** Before the server hears of the message, it is not the message that fails. */
const outcomeAt = (stage: Stage) =>
  ['greeting', 'tls', 'auth'].includes(stage) ? 'unreachable' : 'temporary'

t.test('a server that hangs at any stage is given up', async (t) => {
  await inParallel(stages, async (stage) => {
    const server = await startMailServer(t)
    server.play = (at) => (at === stage ? 'hang' : undefined)
    const limits = stage === 'greeting' ? { greeting: 1500 } : { socket: 1500 }
    const delivery = await transportTo(t, server, limits).send(message)
    t.match(delivery, { outcome: outcomeAt(stage), error: 'timeout' }, stage)
  })
})

t.test('a server that hangs up at any stage is worth another try', async (t) => {
  await inParallel(stages, async (stage) => {
    const server = await startMailServer(t)
    server.play = (at) => (at === stage ? 'close' : undefined)
    const error = stage === 'tls' ? /connect|tls/ : 'connect'
    const outcome = outcomeAt(stage)
    t.match(await transportTo(t, server).send(message), { outcome, error }, stage)
    t.ok(server.connections <= 3)
  })
})

t.test('a refusal for now is temporary, one of the message for good is final', async (t) => {
  const refusals: [stage: Stage, code: number, outcome: string, error: string][] = [
    ['greeting', 421, 'unreachable', 'smtp 421'],
    ['greeting', 554, 'unreachable', 'smtp 554'],
    ['auth', 454, 'unreachable', 'auth'],
    ['auth', 535, 'unreachable', 'auth'],
    ['mail', 451, 'temporary', 'smtp 451'],
    ['mail', 530, 'unreachable', 'auth'],
    ['mail', 550, 'final', 'smtp 550'],
    ['rcpt', 421, 'temporary', 'smtp 421'],
    ['rcpt', 450, 'temporary', 'smtp 450'],
    ['rcpt', 503, 'temporary', 'smtp 503'],
    ['rcpt', 550, 'final', 'smtp 550'],
    ['data', 451, 'temporary', 'smtp 451'],
    ['data', 552, 'final', 'smtp 552'],
    ['data', 554, 'final', 'smtp 554']
  ]
  await inParallel(refusals, async ([stage, code, outcome, error]) => {
    const server = await startMailServer(t)
    server.play = (at) => (at === stage ? code : undefined)
    const delivery = await transportTo(t, server).send(message)
    t.match(delivery, { outcome, error, reply: String(code) }, `${code} at ${stage}`)
    t.equal(server.mails.length, 0)
  })
})

t.test('after a refusal the next mail goes through', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  for (const code of [451, 550, 421] as const) {
    server.play = (at) => (at === 'rcpt' ? code : undefined)
    t.match(await transport.send(message), { error: `smtp ${code}` })
    server.play = () => undefined
    t.match(await transport.send(message), { outcome: 'sent' }, `after ${code}`)
  }
  t.equal(server.mails.length, 3)
})

t.test('a connection that the server closed while it was idle costs nothing', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  t.match(await transport.send(message), { outcome: 'sent' })
  server.hangUp()
  t.match(await transport.send(message), { outcome: 'sent' })
  t.equal(server.mails.length, 2)
})

t.test('without encryption, or with a wrong certificate, nothing is sent', async (t) => {
  const other = (await startMailServer(t)).cert
  for (const [tls, host, cert] of [
    ['none', '127.0.0.1', undefined],
    ['STARTTLS', '127.0.0.1', undefined],
    ['STARTTLS', '127.0.0.1', other],
    ['STARTTLS', 'other.example.com', 'own'],
    ['from the start', '127.0.0.1', undefined],
    ['from the start', 'other.example.com', 'own']
  ] as const) {
    const server = await startMailServer(t, { tls, host })
    const ca = cert === 'own' ? server.cert : cert
    const transport = transportTo(t, { url: server.url, ...(ca && { cert: ca }) })
    const expected = { outcome: 'unreachable', error: 'tls' }
    t.match(await transport.send(message), expected, `${tls}, ${host}, ${cert && 'a CA'}`)
    t.match(await transport.verify(), expected)
    t.equal(server.mails.length, 0)
  }
})

t.test('TLS at a port that speaks in clear, and the other way round', async (t) => {
  const plain = await startMailServer(t, { tls: 'none' })
  const encrypted = await startMailServer(t, { tls: 'from the start' })
  t.match(await transportTo(t, { url: `smtps://127.0.0.1:${plain.port}` }).send(message), {
    outcome: 'unreachable',
    error: 'tls'
  })
  t.match(
    await transportTo(t, { url: `smtp://127.0.0.1:${encrypted.port}` }, { greeting: 300 }).send(
      message
    ),
    { outcome: 'unreachable', error: 'timeout' }
  )
})

t.test('a login that the server does not know, or does not offer, is an error', async (t) => {
  const server = await startMailServer(t)
  const wrong = transportTo(t, { ...server, login: { user: 'portal', pass: 'wrong' } })
  t.match(await wrong.send(message), { outcome: 'unreachable', error: 'auth', reply: /^535/ })
  t.match(await wrong.verify(), { outcome: 'unreachable', error: 'auth' })

  const silent = await script(t, {
    '': '220 ready',
    EHLO: '250 hello',
    AUTH: '502 not implemented'
  })
  t.match(await transportTo(t, { ...silent, login: { user: 'a', pass: 'b' } }).send(message), {
    error: 'auth'
  })
})

t.test('a server that is not there', async (t) => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  const transport = transportTo(t, { url: `smtp://127.0.0.1:${port}` })
  t.match(await transport.send(message), { outcome: 'unreachable', error: 'connect' })
  t.match(await transport.verify(), { outcome: 'unreachable', error: 'connect' })
  const unknown = transportTo(t, { url: 'smtp://mail.invalid' }, { connect: 2000 })
  t.match(await unknown.send(message), { outcome: 'unreachable', error: 'connect' })
})

t.test('stages at which only a server of lines can hang', async (t) => {
  const short = { connect: 300, greeting: 300, socket: 300 }
  const ehlo = await script(t, { '': '220 ready' })
  t.match(await transportTo(t, ehlo, short).send(message), { error: 'timeout' }, 'EHLO')
  const offer = { '': '220 ready', EHLO: '250-hello\r\n250 STARTTLS' }
  const starttls = await script(t, offer)
  t.match(await transportTo(t, starttls, short).send(message), { error: 'timeout' }, 'STARTTLS')
  const accepted = { ...offer, STARTTLS: '220 go ahead' }
  const handshake = await script(t, accepted)
  t.match(await transportTo(t, handshake, short).send(message), { error: 'timeout' }, 'handshake')
  const reset = await script(t, accepted, (socket) =>
    socket.on('data', (data) => data[0] === 0x16 && socket.resetAndDestroy())
  )
  t.match(await transportTo(t, reset, {}).send(message), { error: 'connect' }, 'reset')
})

/** Goes on with an answer, and never ends it. */
function drip(socket: Socket) {
  const timer = setInterval(() => socket.write('250-still here\r\n'), 20)
  socket.on('close', () => clearInterval(timer))
}

t.test('a server that sends a byte now and then cannot hold a delivery for ever', async (t) => {
  const server = await script(t, { '': '220 ready', EHLO: '250 hello' }, drip)
  const transport = transportTo(t, server, { total: 500 })
  const deliveries = await Promise.all([1, 2, 3].map(() => transport.send(message)))
  for (const delivery of deliveries) {
    t.match(delivery, { error: 'timeout' }, 'those that waited as well')
  }
})

t.test('verifying the connection has a time limit', async (t) => {
  const server = await script(t, { '': '220 ready' }, drip)
  const transport = transportTo(t, server, { total: 500 })
  t.match(await transport.verify(), { outcome: 'unreachable', error: 'timeout' })
})

t.test('a delivery can be aborted, and the next one goes through', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  const controller = new AbortController()
  server.play = (stage) => {
    if (stage !== 'rcpt') return undefined
    controller.abort()
    return 'hang'
  }
  const delivery = await transport.send(message, controller.signal)
  t.match(delivery, { outcome: 'temporary', error: 'timeout' })
  server.play = () => undefined
  t.match(await transport.send(message, controller.signal), { error: 'timeout' })
  t.match(await transport.send(message, new AbortController().signal), { outcome: 'sent' })
  t.equal(server.mails.length, 1)
})

t.test('closing ends a delivery that is under way', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  const hanging = new Promise<void>((resolve) => {
    server.play = (stage) => {
      if (stage !== 'data') return undefined
      resolve()
      return 'hang'
    }
  })
  const delivery = transport.send(message)
  await hanging
  await transport.close()
  t.match(await delivery, { outcome: 'temporary', error: 'connect' })
  t.match(await transport.send(message), { error: 'connect' })
  await createTransport({
    server: parseMailUrl(server.url),
    from: { name: '', address: 'portal@example.com' },
    host: 'localhost'
  }).close()
})
