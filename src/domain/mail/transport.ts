import { format } from 'node:util'
import type { NodemailerError, Transporter } from 'nodemailer'
import { normalizeEmail } from '../users/emails.ts'
import type { MailServer, Sender } from './addresses.ts'
import type { Rendered } from './render.ts'

interface Failure {
  /**
   * Whether to try again. `unreachable`: the error came before the server received the mail, so
   * the server, the network or the settings of the portal are at fault.
   */
  outcome: 'unreachable' | 'temporary' | 'final'
  error: 'connect' | 'tls' | 'auth' | 'timeout' | 'address' | `smtp ${number}`
  /** The reply of the server or the error of the connection, as `withoutValues` leaves it. */
  reply?: string
  /** The error in words, with the whole reply: for an operator's terminal, not for a log. */
  reason?: string
}

type Delivery = { outcome: 'sent' } | Failure

interface OutgoingMail extends Rendered {
  /**
   * Id of the outbox row. Each try has the same Message-ID, so that duplicates can be recognized.
   */
  id: string
  to: string
}

export interface MailTransport {
  /** Never rejects, and settles within `limits.total`, or when the signal is aborted. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<Delivery>
  /**
   * Connects and signs in, but sends nothing. Resolves with what failed, or undefined, as `send`
   * does.
   */
  verify(): Promise<Failure | undefined>
  /** Ends all connections, and deliveries that are under way with them. */
  close(): Promise<void>
}

interface Options {
  server: MailServer
  from: Sender
  /** Host of PUBLIC_ORIGIN: the right side of each Message-ID, and the name this client gives. */
  host: string
  /** A certificate authority to trust instead of the usual ones. */
  ca?: string
  limits?: Partial<typeof defaultLimits>
  /** Gets the server's replies and the state of the connection, for an operator's terminal. */
  trace?: ((line: string) => void) | undefined
}

/** In milliseconds. The total is shorter than the lease of a delivery (60 s). */
const defaultLimits = { connect: 10_000, greeting: 10_000, socket: 30_000, total: 50_000 }

/** Sends mail over SMTP. Nothing is loaded or connected before the first mail. */
export function createTransport({ server, from, host, ca, limits, trace }: Options): MailTransport {
  const { connect, greeting, socket, total } = { ...defaultLimits, ...limits }
  let pool: Promise<Transporter> | undefined
  /** The Message-ID of each mail that is being sent and has reached the server. */
  const begun = new Set<string>()
  const open = () =>
    (pool ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        pool: true,
        maxConnections: 2,
        maxRequeues: 2, // a server that restarts ends both connections, even idle ones
        host: server.host,
        port: server.port,
        name: host,
        secure: server.tls === 'from the start',
        requireTLS: server.tls === 'STARTTLS',
        tls: { rejectUnauthorized: server.tls !== 'optional', ...(ca && { ca }) },
        ...(server.login && { auth: server.login, forceAuth: true }),
        connectionTimeout: connect,
        greetingTimeout: greeting,
        socketTimeout: socket,
        logger: loggerFor(trace, (messageId) => begun.add(messageId)),
        transactionLog: trace !== undefined,
        disableFileAccess: true,
        disableUrlAccess: true
      })
    ))

  return {
    async send({ id, to, subject, text, html }, signal) {
      const address = normalizeEmail(to)
      if (address === undefined) return { outcome: 'final', error: 'address' }
      const messageId = `<${id}@${host}>`
      try {
        const opened = await open()
        await within(total, signal, (limit) =>
          opened.sendMail({
            from,
            to: { name: '', address },
            envelope: { from: from.address, to: [address] },
            subject,
            text,
            html,
            messageId,
            headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
            xMailer: false,
            signal: limit
          })
        )
        return { outcome: 'sent' }
      } catch (error) {
        return failureOf(error as NodemailerError, begun.has(messageId), address)
      } finally {
        begun.delete(messageId)
      }
    },

    async verify() {
      try {
        const opened = await open()
        await within(total, undefined, () => opened.verify())
      } catch (error) {
        return failureOf(error as NodemailerError, false)
      }
    },

    async close() {
      ;(await pool)?.close({ force: true })
    }
  }
}

interface Line {
  tnx?: string
  messageId?: string
}

/**
 * A logger of nodemailer. Leaves out the lines that the portal sends, because they contain the
 * password of the mail server.
 * @param begin called when a connection that is ready begins to send a mail
 */
function loggerFor(trace: Options['trace'], begin: (messageId: string) => void) {
  const log = ({ tnx, messageId }: Line, message: string, ...values: unknown[]) => {
    if (tnx === 'send' && messageId !== undefined) begin(messageId)
    if (tnx === 'network' || tnx === 'smtp') trace?.(format(message, ...values))
  }
  const debug = ({ tnx }: Line, reply: string) => {
    if (tnx === 'server') for (const line of reply.split(/\r?\n/)) trace?.(line)
  }
  return { debug, info: log, warn: log, error: log }
}

/**
 * Limits the total time. The other limits apply to silence, and a server that sends a byte now and
 * then is never silent.
 */
async function within<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<T>
): Promise<T> {
  const limit = new AbortController()
  const stop = () => limit.abort(Object.assign(new Error('Stopped'), { code: 'ETIMEDOUT' }))
  const timer = setTimeout(stop, milliseconds)
  signal?.addEventListener('abort', stop)
  const stopped = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason))
  })
  if (signal?.aborted) stop()
  try {
    return await Promise.race([work(limit.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Errors of a connection, not of a mail. */
const ofConnection = /^(?:ECONNECTION|ETIMEDOUT|EABORT|ESOCKET|EDNS|ETLS|EAUTH|EPROTOCOL)$/

function failureOf(failure: NodemailerError, begun: boolean, address = ''): Failure {
  const { code, permanent, response, message } = failure
  // Only for these errors is the reply about the mail. Earlier replies are about the portal, and
  // the operator can fix the cause.
  const final = permanent === true && /^(?:EENVELOPE|EMESSAGE)$/.test(code ?? '')
  const error = errorOf(failure)
  // A server that wants a login (530) says so at the first mail.
  const unreachable = error === 'auth' || (!begun && ofConnection.test(code ?? ''))
  const outcome = unreachable ? 'unreachable' : final ? 'final' : 'temporary'
  return { outcome, error, reply: withoutValues(response ?? message, address), reason: message }
}

function errorOf({ code, responseCode, syscall }: NodemailerError): Failure['error'] {
  if (code === 'EAUTH' || responseCode === 530) return 'auth'
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'timeout'
  // An error of a socket without a system call is one of TLS, such as a certificate of another
  // host.
  if (code === 'ETLS' || (code === 'ESOCKET' && syscall === undefined)) return 'tls'
  return responseCode === undefined ? 'connect' : `smtp ${responseCode}`
}

const maxLength = 300

/**
 * The sentence of a mail server for the outbox, the log and the audit trail. Servers repeat the
 * address, links of the mail and long identifiers, which stay out of these.
 * @param address of the recipient, normalized
 */
export function withoutValues(reply: string, address: string): string {
  const [name = ''] = address.split('@')
  return reply
    .split(/\s/)
    .map((word) => (/https?:\/\//i.test(word) ? word.split(/[?#]/, 1)[0] : word))
    .map((word) => (word?.includes('@') ? '[address]' : without(name, word ?? '')))
    .join(' ')
    .replace(/[\w+/=-]{24,}/g, '[...]')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .slice(0, maxLength)
    .trim()
}

/** A word without the local part of an address, unless it is a part of a longer one. */
function without(name: string, word: string): string {
  const at = name === '' ? -1 : word.toLowerCase().indexOf(name)
  if (at < 0) return word
  const after = word.slice(at + name.length)
  const isWhole = !/[\p{L}\p{N}]$/u.test(word.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(after)
  return (
    word.slice(0, at) +
    (isWhole ? '[address]' : word.slice(at, at + name.length)) +
    without(name, after)
  )
}
