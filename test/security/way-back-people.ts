import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../db/schema/users.ts'
import type { SoftPasskey } from '../support/authenticator.ts'
import { passkeySignIn } from '../support/passkeys.ts'
import { codeOf, cookieSet, forgetCodes } from '../support/second-factors.ts'
import type { Letter, Portal, Purpose } from './way-back-portal.ts'

// The owner of a mailbox, and somebody who wants their account. Nothing is expected of what they
// do: the portal may refuse it.

export const others = ['stranger', 'password thief', 'cookie thief', 'mailbox thief'] as const

export interface Person {
  name: 'owner' | (typeof others)[number]
  /** By which providers know this person. */
  id: string
  /** The addresses whose mail this person reads. */
  mailboxes: string[]
  /** The mail that this person has read in mailboxes of others. */
  letters: Letter[]
  /** Passwords that this person chose or learnt, the newest last. */
  passwords: string[]
  cookies: string[]
  /** Cookies of sign-ins that wait for a second factor. */
  pending: string[]
  /** Ways through a provider that this person has begun and not completed. */
  flows: { cookie: string; url: string }[]
  passkeys: SoftPasskey[]
  /** Secrets of authenticator apps. */
  secrets: string[]
  recoveryCodes: string[]
  /** API keys. */
  keys: string[]
}

export interface World {
  portal: Portal
  /** The one of the portal that is running. */
  app: FastifyInstance
  /** The address that the owner has from the beginning. */
  address: string
  owner: Person
  other: Person
  /** Who was the first to prove that they read the mail of an address of the account. */
  confirmedFirst?: Person['name']
  /** Whether a thief has had a cookie with which two factors of the owner were proved. */
  hadTwoFactors: boolean
  /** The account whose deletion is planned, and the cookies that must not come back with it. */
  planned?: { id: string; cookies: string[] }
  /** How often each step succeeded. */
  done: Map<string, number>
  ip: string
}

export const person = (name: Person['name'], ...mailboxes: string[]): Person => ({
  name,
  id: randomUUID(),
  mailboxes,
  letters: [],
  passwords: [],
  cookies: [],
  pending: [],
  flows: [],
  passkeys: [],
  secrets: [],
  recoveryCodes: [],
  keys: []
})

export type Response = Awaited<ReturnType<FastifyInstance['inject']>>

export const send = (
  { app, ip }: Pick<World, 'app' | 'ip'>,
  cookie: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object
): Promise<Response> =>
  app.inject({
    method,
    url,
    remoteAddress: ip,
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    ...(payload && { payload })
  })

export const newPassword = () => `horse ${randomUUID()}`
/** In a domain of its own. */
export const newAddress = () => `${randomUUID()}@${randomUUID().slice(0, 13)}.example`

const proofs = new Set(['confirm', 'confirm the address', 'change the address', 'recover'])

/**
 * Counts a step that succeeded, and keeps a session that it began. Throws when the portal failed,
 * or asked to wait, which would hide what follows.
 */
export function note(world: World, who: Person, step: string, response: Response) {
  const { statusCode, body } = response
  if (statusCode >= 500 || statusCode === 429) throw new Error(`${step}: ${statusCode} ${body}`)
  if (statusCode >= 300) return false
  count(world, who, step)
  const cookie = cookieSet(response, 'session')
  if (cookie) who.cookies.push(cookie)
  return true
}

export function count(world: World, { name }: Person, step: string) {
  const key = `${name}: ${step}`
  world.done.set(key, (world.done.get(key) ?? 0) + 1)
  if (proofs.has(step)) world.confirmedFirst ??= name
}

export interface Session {
  cookie: string
  user: { id: string; email: string; emailVerified: boolean }
  session: { assurance: number }
}

export async function sessionOf(world: World, cookie: string): Promise<Session | undefined> {
  const me = await send(world, cookie, 'GET', '/api/auth/me')
  return me.statusCode === 200 ? { cookie, ...(me.json() as Omit<Session, 'cookie'>) } : undefined
}

/** The newest session of this person that has not ended. */
export async function liveSession(world: World, who: Person) {
  for (const cookie of who.cookies.slice(-3).toReversed()) {
    const session = await sessionOf(world, cookie)
    if (session) return session
  }
}

export const lettersOf = async ({ portal }: World, { letters, mailboxes }: Person) => [
  ...letters,
  ...(await portal.inbox.read(mailboxes))
]

/** The token of the newest link that this person can read with this purpose. */
export async function linkTo(world: World, who: Person, purpose: Purpose) {
  return (await lettersOf(world, who)).findLast((letter) => letter.purpose === purpose)?.token
}

/** Signs in with a password, and with a factor of this person where one is needed. */
export async function signIn(
  world: World,
  who: Person,
  input: { email: string; password: string; restore?: boolean }
) {
  const login = await send(world, '', 'POST', '/api/auth/login', input)
  return login.statusCode === 202
    ? ((await complete(world, who, cookieSet(login, 'login') ?? '', input.email)) ?? login)
    : login
}

/** The second step of a sign-in, with whatever this person has. */
export async function complete(world: World, who: Person, pending: string, email: string) {
  const verify = async (body: object) => {
    const response = await send(world, pending, 'POST', '/api/auth/login/verify', body)
    if (response.statusCode >= 500) throw new Error(`verify: ${response.body}`)
    return response
  }
  for (const secret of who.secrets.toReversed().slice(0, 2)) {
    const response = await verify({ code: await freshCode(world, email, secret) })
    if (response.statusCode === 200) return response
  }
  for (const recoveryCode of who.recoveryCodes.slice(-2)) {
    const response = await verify({ recoveryCode })
    if (response.statusCode === 200) return response
  }
  for (const passkey of who.passkeys.slice(-2)) {
    const response = await passkeySignIn(world.app, passkey, {}, { cookie: pending })
    if (response.statusCode === 200 && response.json().user.email === email) return response
  }
  who.pending.push(pending)
}

export async function findAccount({ app: { db } }: World, email: string) {
  const [found] = await db
    .select({ id: users.id, isConfirmed: users.emailVerifiedAt, status: users.status })
    .from(users)
    .where(eq(users.emailNormalized, email))
  return found
}

/** A code that was not used before by the account with this address. */
export async function freshCode(world: World, email: string, secret: string) {
  const { db } = world.app
  const found = await findAccount(world, email)
  if (found) await forgetCodes(db, found.id)
  return codeOf(db, secret)
}
