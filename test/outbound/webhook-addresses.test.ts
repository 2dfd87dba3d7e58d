// Not on PGlite: it uses no database.
import type { lookup } from 'node:dns'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { createSender, judgeUrl } from '../../src/outbound/sender.ts'
import { certificateFor } from '../support/certificate.ts'

const production = { development: false, networks: [] }
const development = { development: true, networks: [] }

type Resolve = typeof lookup
/** Answers with these addresses, each time with the next ones. */
function resolving(...answers: string[][]) {
  const asked: string[] = []
  const resolve = ((name: string, _options: unknown, done: (...result: unknown[]) => void) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(name)
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    done(null, addresses)
  }) as unknown as Resolve
  return { asked, resolve }
}

async function listen(t: Test, answer: RequestListener, host = '127.0.0.1') {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const special = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.0.0.1.'],
  ...['0', '0.0.0.0', '１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1'],
  ...['10.0.0.1', '10.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '100.64.0.1', '100.127.255.255'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]'],
  ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2001::7f00:1]', '[2001:db8::1]', '[fe80::1]'],
  ...['[fc00::1]', '[fd00::1]', '[fec0::1]', '[ff02::1]', '[100::1]', '[5f00::1]', '[4000::1]']
]

t.test('special addresses are refused in every spelling', async (t) => {
  t.ok(special.length >= 40)
  const sender = createSender(production)
  for (const host of special) {
    const url = `https://${host}:1/hook`
    t.match(await judgeUrl(url, production), /not public/, url)
    t.same(await sender.post(url, {}, ''), { error: 'address' }, url)
  }
})

t.test('public addresses are accepted', async (t) => {
  for (const host of ['1.1.1.1', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]', '134744072']) {
    t.equal(await judgeUrl(`https://${host}/hook`, production), undefined, host)
  }
})

t.test('a name is refused if one of its addresses is special', async (t) => {
  for (const address of ['127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', 'fe80::1%1']) {
    const { resolve } = resolving(['1.1.1.1', address])
    const rules = { ...production, resolve }
    t.match(await judgeUrl('https://hooks.example.com/', rules), /not public/, address)
    t.same(await createSender(rules).post('https://hooks.example.com/', {}, ''), {
      error: 'address'
    })
  }
  const { resolve } = resolving(['1.1.1.1', '2606:4700:4700::1111'])
  t.equal(await judgeUrl('https://hooks.example.com/', { ...production, resolve }), undefined)
  const none = { ...production, resolve: resolving([]).resolve }
  t.match(await judgeUrl('https://hooks.example.com/', none), /not public/)
  t.match(await judgeUrl('https://nothing.invalid/', production), /does not resolve/)
})

t.test('a network of WEBHOOK_NETWORKS is accepted', async (t) => {
  const networks = ['10.1.0.0/16', 'fd00:1::/32']
  const judge = (host: string) => judgeUrl(`https://${host}/`, { development: false, networks })
  t.equal(await judge('10.1.2.3'), undefined)
  t.equal(await judge('[::ffff:10.1.2.3]'), undefined)
  t.equal(await judge('[fd00:1::1]'), undefined)
  t.match(await judge('10.2.0.1'), /WEBHOOK_NETWORKS/)
})

t.test('a URL is https, and in development also http to this machine', async (t) => {
  t.match(await judgeUrl('http://1.1.1.1/', production), /https:/)
  t.match(await judgeUrl('http://1.1.1.1/', development), /https:/)
  t.match(await judgeUrl('http://127.0.0.1/', production), /https:/)
  t.equal(await judgeUrl('http://127.0.0.1/', development), undefined)
  t.equal(await judgeUrl('http://[::1]/', development), undefined)
  t.match(await judgeUrl('https://10.0.0.1/', development), /not public/)
  t.match(await judgeUrl('ftp://1.1.1.1/', production), /https:/)
  t.match(await judgeUrl('file:///etc/passwd', production), /https:/)
  t.match(await judgeUrl('nothing', production), /must be a URL/i)
  t.match(await judgeUrl('https://user@1.1.1.1/', production), /user name/)
  t.match(await judgeUrl('https://:secret@1.1.1.1/', production), /password/)
})

t.test('a request goes to the address that was judged', async (t) => {
  const reached: string[] = []
  const note = (name: string): RequestListener => {
    return (_request, response) => {
      reached.push(name)
      response.end()
    }
  }
  const { cert, key } = certificateFor('hooks.example.com')
  const judged = createSecureServer({ cert, key }, note('judged'))
  await new Promise<void>((resolve) => judged.listen(0, '127.0.0.2', resolve))
  t.teardown(() => judged.close())
  const { port } = judged.address() as AddressInfo
  const other = createSecureServer({ cert, key }, note('other'))
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const { asked, resolve } = resolving(['127.0.0.2'], ['127.0.0.1'])
  const sender = createSender({ development: false, networks: ['127.0.0.2'], resolve })
  const url = `https://hooks.example.com:${port}/`
  // It is not signed by anybody whom Node trusts, which is found out after connecting.
  t.same(await sender.post(url, {}, ''), { error: 'certificate' })
  t.same(asked, ['hooks.example.com'], 'resolved once')
  t.same(await sender.post(url, {}, ''), { error: 'address' }, 'resolves to another address')
  t.same(reached, [])
})

t.test('a redirect is not followed', async (t) => {
  let asked = 0
  const port = await listen(t, (_request, response) => {
    asked++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  const answer = await createSender(development).post(`http://127.0.0.1:${port}/`, {}, '{}')
  t.same(answer, { status: 307, error: 'redirect' })
  t.equal(asked, 1)
})

t.test('an answer that takes more than five seconds is a failure', async (t) => {
  const slow = await listen(t, (_request, response) => {
    // The head comes at once, and then a byte every now and then.
    response.writeHead(200)
    const dripping = setInterval(() => response.write('x'), 100)
    response.on('close', () => clearInterval(dripping))
  })
  const late = await listen(t, (_request, response) => {
    setTimeout(() => response.end(), 6000).unref()
  })
  const sender = createSender(development)
  const begun = performance.now()
  const answers = await Promise.all([
    sender.post(`http://127.0.0.1:${slow}/`, {}, ''),
    sender.post(`http://127.0.0.1:${late}/`, {}, '')
  ])
  t.same(answers, [{ error: 'timeout' }, { error: 'timeout' }])
  t.ok(performance.now() - begun < 5900)
})

t.test('of an endless body no more than 64 KiB are read', async (t) => {
  let written = 0
  const port = await listen(t, (_request, response) => {
    const part = Buffer.alloc(16 * 1024)
    const write = () => {
      while (!response.destroyed && response.write(part)) written += part.length
    }
    response.on('drain', write)
    write()
  })
  const url = `http://127.0.0.1:${port}/`
  const { status, body = '' } = await createSender(development).post(url, {}, '')
  t.equal(status, 200)
  t.ok(body.length <= 65_536)
  t.ok(written < 50_000_000, `${written} bytes`)
})

t.test('the method, headers and body arrive, and other statuses are failures', async (t) => {
  const port = await listen(t, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const isRight =
        request.method === 'POST' &&
        request.headers['webhook-id'] === 'one' &&
        Buffer.concat(parts).toString() === '{"type":"é"}'
      response.writeHead(isRight ? 204 : Number(request.url?.slice(1))).end()
    })
  })
  const sender = createSender(development)
  const post = (status: number, id: string) =>
    sender.post(`http://127.0.0.1:${port}/${status}`, { 'webhook-id': id }, '{"type":"é"}')
  t.match(await post(500, 'one'), { status: 204, error: undefined })
  t.same(await post(500, 'two'), { status: 500, error: 'status-500' })
  t.same(await post(410, 'two'), { status: 410, error: 'status-410' })
  t.same(await sender.post('http://127.0.0.1:1/', {}, ''), { error: 'unreachable' })
})

t.test('a response that is not HTTP, or changes the protocol, ends an attempt', async (t) => {
  const sender = createSender(development)
  const head = 'Content-Length: 0\r\n\r\n'
  const outcomes = await Promise.all(
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      `HTTP/1.1 999 x\r\n${head}`,
      `HTTP/1.1 099 x\r\n${head}`,
      'SSH-2.0-x\r\n'
    ].map(async (text) => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.write(text))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.teardown(() => server.close())
      const { port } = server.address() as AddressInfo
      return sender.post(`http://127.0.0.1:${port}/`, {}, '')
    })
  )
  const [changes, ...others] = outcomes
  t.same(changes, { error: 'timeout' })
  t.same(
    new Set(others.map(({ status, error }) => `${status} ${error}`)),
    new Set(['undefined unreachable'])
  )
})
