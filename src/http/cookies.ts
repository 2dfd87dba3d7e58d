import type { SerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { loginSeconds } from '../domain/factors/pending-logins.ts'
import { flowNameForm, flowSeconds } from '../domain/providers/flow-cookie.ts'
import type { FactorDue, NewSession } from '../domain/sign-in/start-session.ts'

/**
 * Browsers limit a cookie to 4096 bytes (RFC 6265bis); the session cookie needs a third of that.
 */
const maxLength = 1500
const day = 86_400
const year = 365 * day

export type CookieName = 'session' | 'device' | 'login' | 'left' | 'led' | `flow_${string}`
const nameOf = (what: CookieName, development: boolean) =>
  `${development ? 'portal_' : '__Host-portal_'}${what}`

export const sessionCookieName = (development: boolean) => nameOf('session', development)

interface CookieOptions {
  serialize(name: string, value: string, options: SerializeOptions): string
  development: boolean
  sessionSeconds: number
}

/**
 * The cookies of the session, of the known device, of a sign-in that waits for its second factor,
 * of a sign-out, of a page that was led to a planned deletion, and of ways through a provider. The
 * mode decides their names and attributes.
 */
export function createCookies({ serialize, development, sessionSeconds }: CookieOptions) {
  const attributes = development
    ? ({ path: '/', httpOnly: true, sameSite: 'lax' } as const)
    : ({ path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const)
  const cleared = { ...attributes, maxAge: 0, expires: new Date(0) }

  const cookie = (what: CookieName, maxAge: number, more: Partial<SerializeOptions> = {}) => {
    const name = nameOf(what, development)
    return {
      /** Every value that a Cookie header has under this name, in order. */
      read: (header: string | undefined) => valuesOf(header, name),
      /** The Set-Cookie header. */
      set(value: string) {
        if (name.length + value.length > maxLength) {
          throw new Error(`the ${what} cookie is longer than ${maxLength} characters`)
        }
        return serialize(name, value, { ...attributes, ...more, maxAge })
      },
      clear: () => serialize(name, '', cleared)
    }
  }
  const fixed = {
    session: cookie('session', sessionSeconds),
    device: cookie('device', year),
    login: cookie('login', loginSeconds),
    left: cookie('left', day),
    // A page reads it, to tell where it was led from a link that anybody can send.
    led: cookie('led', 60, { httpOnly: false })
  }
  const flowPrefix = nameOf('flow_', development)
  return {
    ...fixed,
    of: (name: CookieName) => (isFlow(name) ? cookie(name, flowSeconds) : fixed[name]),
    /** The ends of the names of all flow cookies, each once. */
    flowNames: (header = '') => [
      ...new Set(
        header
          .split(';')
          .map((each) => each.split('=', 1)[0]?.trim() ?? '')
          .filter((name) => name.startsWith(flowPrefix))
          .map((name) => name.slice(flowPrefix.length))
          .filter((name) => flowNameForm.test(name))
      )
    ]
  }
}

const isFlow = (name: CookieName): name is `flow_${string}` => name.startsWith('flow_')

/** Scans the header once and extracts only this name, because every request is searched for it. */
function valuesOf(header = '', name: string): string[] {
  const values: string[] = []
  for (let start = 0; start < header.length;) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    while (isBlank(header.charCodeAt(start))) start++
    if (header.startsWith(name, start)) {
      let after = start + name.length
      while (after < end && isBlank(header.charCodeAt(after))) after++
      if (after === end) values.push('')
      else if (header[after] === '=') values.push(header.slice(after + 1, end).trim())
    }
    start = end + 1
  }
  return values
}

const isBlank = (code: number) => code === 32 || code === 9

type StartedSession = NewSession & { device: string }

/** Sets the cookies of a new session and returns the body of the response. */
export function answerSignedIn(
  app: FastifyInstance,
  reply: FastifyReply,
  { user, session, secret, device }: StartedSession
) {
  reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
  reply.setPortalCookie('device', device)
  if (app.config.providers.length > 0) reply.clearPortalCookie('left')
  return { user, session }
}

/**
 * Answers with a new session or, if a second factor is needed, with status 202 and only the login
 * cookie.
 */
export function answerFirstStep(
  app: FastifyInstance,
  reply: FastifyReply,
  signIn: StartedSession | FactorDue
) {
  if (signIn.session) return answerSignedIn(app, reply, signIn)
  const { secret, methods, expiresAt } = signIn.login
  reply.code(202).setPortalCookie('login', secret)
  return { next: 'second-factor' as const, methods, expiresAt }
}
