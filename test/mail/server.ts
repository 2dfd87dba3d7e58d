import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerSession } from 'smtp-server'
import type { Test } from 'tap'
import { certificateFor } from '../support/certificate.ts'

/** `data` is when the message has arrived, `kept` when it is in `mails` and only the answer is missing. */
export type Stage = 'greeting' | 'tls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'kept'

/**
 * At a stage, the server can do this instead of going on: nothing at all, hang up, refuse with a
 * code, or go on when a promise resolves.
 */
type Trouble = 'hang' | 'close' | number | Promise<void>

export interface Received {
  from: string
  to: string[]
  raw: string
  mail: Email
  /** Whether it came over TLS, and as whom. */
  secure: boolean
  user: string | undefined
}

/** The names of all headers that a mail of the portal has. */
export const mailHeaders = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress'
]

export interface MailServer {
  /** MAIL_URL, with a login. */
  url: string
  port: number
  /** The certificate, which no authority signed. */
  cert: string
  mails: Received[]
  /** Connections since the beginning. */
  connections: number
  /** Decides what happens at each stage. To begin with, nothing out of the ordinary. */
  play: (stage: Stage, session: SMTPServerSession) => Trouble | undefined
  /** The sentence of a refusal. */
  says: string
  /** Ends every connection. */
  hangUp: () => void
  /** Resolves once this many mails have arrived since the beginning. */
  received: (count: number) => Promise<Received[]>
}

/** An SMTP server on loopback that keeps what it gets, until the test ends. */
export async function startMailServer(
  t: Pick<Test, 'teardown'>,
  {
    tls = 'STARTTLS',
    host = '127.0.0.1',
    port = 0
  }: {
    tls?: 'STARTTLS' | 'from the start' | 'none'
    /** For which the certificate is made out. */
    host?: string
    port?: number
  } = {}
): Promise<MailServer> {
  const { key, cert } = certificateFor(host)
  const events = new EventEmitter().setMaxListeners(0)

  const at =
    (stage: Stage, goOn: (callback: Callback) => void) =>
    (session: SMTPServerSession, callback: Callback): void => {
      const trouble = state.play(stage, session)
      if (trouble === undefined) return goOn(callback)
      if (trouble instanceof Promise) trouble.then(() => goOn(callback), callback)
      if (trouble === 'close') hangUp(session)
      if (typeof trouble !== 'number') return
      callback(Object.assign(new Error(state.says), { responseCode: trouble }))
    }
  /** Ends this connection, or all. Not one in the middle of a handshake: Node crashes when the socket below goes. */
  function hangUp(session?: SMTPServerSession) {
    for (const connection of server.connections) {
      if (session && connection.session !== session) continue
      if (!connection._upgrading) connection._socket.destroy()
    }
  }
  const pass = (callback: Callback) => callback()

  const server = new SMTPServer({
    key,
    cert,
    secure: tls === 'from the start',
    hideSTARTTLS: tls === 'none',
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1000,
    onConnect: at('greeting', pass),
    onSecure: (_socket, session, callback) => at('tls', pass)(session, callback),
    onAuth: ({ username, password }, session, callback) =>
      at('auth', (done) =>
        username === login.user && password === login.pass
          ? callback(null, { user: username })
          : done(Object.assign(new Error('Wrong password'), { responseCode: 535 }))
      )(session, callback),
    onMailFrom: (_address, session, callback) => at('mail', pass)(session, callback),
    onRcptTo: (_address, session, callback) => at('rcpt', pass)(session, callback),
    async onData(stream, session, callback) {
      const raw = await buffer(stream).catch(() => undefined)
      if (raw === undefined) return // the client hung up
      at('data', (done) => {
        keep(raw, session).then(() => at('kept', pass)(session, done), done)
      })(session, callback)
    }
  })

  async function keep(raw: Buffer, session: SMTPServerSession) {
    const { mailFrom, rcptTo } = session.envelope
    state.mails.push({
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      raw: raw.toString(),
      mail: await PostalMime.parse(raw),
      secure: session.secure,
      user: session.user
    })
    events.emit('mail')
  }

  server.on('error', () => {}) // of a connection, such as a client that does not like the certificate
  server.server.on('connection', () => {
    state.connections++
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(async () => {
    hangUp()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  const address = server.server.address() as AddressInfo
  const scheme = tls === 'from the start' ? 'smtps' : 'smtp'
  const state: MailServer = {
    url: `${scheme}://${login.user}:${login.pass}@127.0.0.1:${address.port}`,
    port: address.port,
    cert,
    mails: [],
    connections: 0,
    play: () => undefined,
    says: 'as the test wants it',
    hangUp,
    async received(count) {
      while (state.mails.length < count) await once(events, 'mail')
      return state.mails
    }
  }
  return state
}

type Callback = (error?: Error | null) => void

const login = { user: 'portal', pass: 'secret' }
