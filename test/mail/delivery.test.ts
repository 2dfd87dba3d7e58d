import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import { parseMailFrom, parseMailUrl } from '../../src/domain/mail/addresses.ts'
import { renderMail } from '../../src/domain/mail/letters.ts'
import { createTransport } from '../../src/domain/mail/transport.ts'
import { built } from '../support/root.ts'
import { locales, samples, settings } from './samples.ts'
import { mailHeaders, startMailServer } from './server.ts'
import type { MailServer } from './server.ts'

/**
 * Requires STARTTLS and verifies the certificate, as it does for a server that is not on loopback.
 */
function transportTo(t: Test, { url, cert }: MailServer) {
  const server = parseMailUrl(url)
  const transport = createTransport({
    server: { ...server, tls: server.tls === 'optional' ? 'STARTTLS' : server.tls },
    from: parseMailFrom('Kontor & Söhne <portal@example.com>'),
    host: 'portal.example.com',
    ca: cert
  })
  t.teardown(() => transport.close())
  return transport
}

for (const locale of locales) {
  t.test(`every kind of mail arrives as it was written, in ${locale}`, async (t) => {
    const server = await startMailServer(t)
    const transport = transportTo(t, server)
    for (const mail of Object.values(samples)) {
      const id = randomUUID()
      const rendered = renderMail(mail, 'ada@example.com', { name: 'Zoë Müller', locale }, settings)
      const delivery = await transport.send({ id, to: 'zoe@example.org', ...rendered })
      t.match(delivery, { outcome: 'sent' })

      const received = server.mails.at(-1)
      t.match(received, {
        from: 'portal@example.com',
        to: ['zoe@example.org'],
        secure: true,
        user: 'portal',
        mail: {
          subject: rendered.subject,
          from: { name: 'Kontor & Söhne', address: 'portal@example.com' },
          to: [{ name: '', address: 'zoe@example.org' }],
          messageId: `<${id}@portal.example.com>`,
          attachments: []
        }
      })
      t.equal(received?.mail.text?.trimEnd(), rendered.text.trimEnd())
      t.equal(received?.mail.html?.trimEnd(), rendered.html.trimEnd())
      t.same(received?.mail.headers.map(({ key }) => key).sort(), mailHeaders, 'no other headers')
      t.match(received?.raw, /^Auto-Submitted: auto-generated\r$/m)
      t.match(received?.raw, /^X-Auto-Response-Suppress: All\r$/m)
      t.ok(received?.raw.split('\r\n').every((line) => line.length <= 78))
    }
    t.equal(server.mails.length, Object.keys(samples).length)
    t.equal(server.connections, 1, 'one connection for all of them')
  })
}

t.test('mail is delivered with TLS from the start', async (t) => {
  const server = await startMailServer(t, { tls: 'from the start' })
  const transport = transportTo(t, server)
  t.equal(await transport.verify(), undefined)
  t.match(await transport.send(message()), { outcome: 'sent' })
  t.match(server.mails, [{ secure: true, user: 'portal' }])
})

t.test('on loopback a plain connection will do, and a certificate need not be valid', async (t) => {
  for (const tls of ['none', 'STARTTLS'] as const) {
    const server = await startMailServer(t, { tls, host: 'other.example.com' })
    const transport = createTransport({
      server: parseMailUrl(server.url),
      from: parseMailFrom('portal@example.com'),
      host: 'localhost'
    })
    t.teardown(() => transport.close())
    t.match(await transport.send(message()), { outcome: 'sent' })
    t.match(server.mails, [{ secure: tls === 'STARTTLS', user: 'portal' }])
  }
})

t.test('at most two connections carry many mails', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  const deliveries = await Promise.all(Array.from({ length: 30 }, () => transport.send(message())))
  t.ok(deliveries.every(({ outcome }) => outcome === 'sent'))
  t.equal(server.mails.length, 30)
  t.equal(server.connections, 2)
})

t.test('a second try of the same mail has the same Message-ID', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  const mail = message()
  server.play = (stage) => (stage === 'kept' ? 'close' : undefined)
  t.match(await transport.send(mail), { outcome: 'temporary', error: 'connect' })
  server.play = () => undefined
  t.match(await transport.send(mail), { outcome: 'sent' })
  const [first, ...others] = server.mails.map((received) => received.mail.messageId)
  t.equal(first, `<${mail.id}@portal.example.com>`)
  t.ok(others.length > 0 && others.every((each) => each === first))
})

t.test('no address, subject or text injects headers, recipients or commands', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  for (const to of [
    'ada@example.org\r\nRCPT TO:<victim@example.org>',
    'ada@example.org\nBcc: victim@example.org',
    'ada@example.org, victim@example.org',
    'Ada <ada@example.org>',
    'ada@example.org> NOTIFY=SUCCESS',
    '"a b"@example.org',
    'group:ada@example.org;',
    '',
    '@example.org'
  ]) {
    t.same(await transport.send({ ...message(), to }), { outcome: 'final', error: 'address' }, to)
  }
  t.equal(server.connections, 0, 'none of them got to the server')

  const hostile = 'Hello\r\nBcc: victim@example.org\r\n\r\n.\r\nRCPT TO:<victim@example.org>\r\n'
  t.match(await transport.send({ ...message(), subject: hostile, text: hostile, html: hostile }), {
    outcome: 'sent'
  })
  t.equal(server.mails.length, 1)
  t.match(server.mails[0], { to: ['ada@example.org'], mail: { text: /^Hello\r?\nBcc/ } })
  t.same(server.mails[0]?.mail.bcc ?? [], [])
  t.notMatch(server.mails[0]?.raw.split('\r\n\r\n')[0], /^bcc/im)

  t.match(await transport.send({ ...message(), to: 'Ada@BÜCHER.example' }), { outcome: 'sent' })
  t.match(server.mails[1]?.raw, /^To: ada@xn--bcher-kva\.example\r$/m)
})

t.test('a text is never taken for a file or an address to fetch', async (t) => {
  const server = await startMailServer(t)
  const transport = transportTo(t, server)
  const web = createServer((_request, response) => response.end('fetched')).listen(0, '127.0.0.1')
  await once(web, 'listening')
  t.teardown(() => web.close())
  const href = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`
  for (const content of [{ path: import.meta.filename }, { href }]) {
    const text = content as unknown as string
    t.match(await transport.send({ ...message(), text }), { outcome: 'temporary' })
  }
  t.equal(server.mails.length, 0)
})

t.test('nothing is loaded before the first mail', async (t) => {
  const module = path.join(built, 'src/domain/mail/transport.js')
  const script = `
    const { createTransport } = await import(${JSON.stringify(module)})
    const loaded = () => process.moduleLoadList.includes('NativeModule tls')
    const transport = createTransport({
      server: { host: '127.0.0.1', port: 1, tls: 'STARTTLS' },
      from: { name: '', address: 'portal@example.com' },
      host: 'portal.example.com'
    })
    const before = loaded()
    const { error } = await transport.send(
      { id: '1', to: 'ada@example.org', subject: 's', text: 't', html: 'h' })
    console.log(before, loaded(), error)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script
  ])
  t.equal(stdout, 'false true connect\n')
})

const message = () => ({
  id: randomUUID(),
  to: 'ada@example.org',
  subject: 'Subject',
  text: 'Text\n',
  html: '<p>HTML</p>\n'
})
