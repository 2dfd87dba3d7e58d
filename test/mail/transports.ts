import type { Test } from 'tap'
import { parseMailUrl } from '../../src/domain/mail/addresses.ts'
import { createTransport } from '../../src/domain/mail/transport.ts'

/** Waits long for nothing: a test that takes the long way is one that fails. */
const patient = { connect: 60_000, greeting: 60_000, socket: 60_000, total: 60_000 }

interface Target {
  url: string
  cert?: string
  login?: { user: string; pass: string }
  /** Makes encryption optional, which it is for a server on loopback. */
  plain?: true
}

/** A transport to a test server, closed at the end of the test. */
export function transportTo(
  t: Test,
  { url, cert, login, plain }: Target,
  limits: Partial<typeof patient> = {}
) {
  const server = { ...parseMailUrl(url), ...(login && { login }) }
  if (server.tls === 'optional' && !plain) server.tls = 'STARTTLS'
  const transport = createTransport({
    server,
    from: { name: '', address: 'portal@example.com' },
    host: 'portal.example.com',
    ...(cert && { ca: cert }),
    limits: { ...patient, ...limits }
  })
  t.teardown(() => transport.close())
  return transport
}

export const message = { id: '7', to: 'ada@example.org', subject: 'Subject', text: 'T', html: 'H' }
