import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../db/schema/users.ts'
import type { SoftPasskey } from '../support/authenticator.ts'
import { codeOf, cookieSet, forgetCodes } from '../support/second-factors.ts'
import type { Inbox } from './way-back-inbox.ts'

// The owner of a mailbox, and somebody who wants their account. Nothing is expected of what they
// do: the portal may refuse it.

export interface Person {
  name: 'owner' | 'stranger' | 'password thief' | 'mailbox thief'
  /** The addresses whose mail this person reads. */
  mailboxes: string[]
  /** What this person chose or learnt, the newest last. */
  passwords: string[]
  cookies: string[]
  passkeys: SoftPasskey[]
  /** Of authenticator apps. */
  secrets: string[]
  recoveryCodes: string[]
  /** API keys. */
  keys: string[]
}

export interface World {
  app: FastifyInstance
  inbox: Inbox
  /** The address that the owner has from the beginning. */
  address: string
  owner: Person
  other: Person
  /** Who was the first to prove that they read the mail of an address of the account. */
  confirmedFirst?: Person['name']
  /** How often each step succeeded. */
  done: Map<string, number>
  ip: string
}

export const person = (name: Person['name'], ...mailboxes: string[]): Person => ({
  name,
  mailboxes,
  passwords: [],
  cookies: [],
  passkeys: [],
  secrets: [],
  recoveryCodes: [],
  keys: []
})

export type Response = Awaited<ReturnType<FastifyInstance['inject']>>

export const send = (
  { app, ip }: World,
  cookie: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object
): Promise<Response> =>
  app.inject({
    method,
    url,
    remoteAddress: ip,
    headers: { cookie },
    ...(payload && { payload })
  })

export const choosePassword = ({ passwords }: Person) => {
  const password = `horse ${randomUUID()}`
  passwords.push(password)
  return password
}
export const newAddress = () => `${randomUUID()}@example.com`

const proofs = new Set(['confirm', 'confirm the address', 'change the address', 'recover'])

/**
 * Counts a step that succeeded, and keeps a session that it began. Throws when the portal failed,
 * or asked to wait, which would hide what follows.
 */
export function note(world: World, who: Person, step: string, response: Response) {
  const { statusCode, body } = response
  if (statusCode >= 500 || statusCode === 429) throw new Error(`${step}: ${statusCode} ${body}`)
  if (statusCode >= 300) return false
  const key = `${who.name}: ${step}`
  world.done.set(key, (world.done.get(key) ?? 0) + 1)
  if (proofs.has(step)) world.confirmedFirst ??= who.name
  const cookie = cookieSet(response, 'session')
  if (cookie) who.cookies.push(cookie)
  return true
}

interface Me {
  user: { id: string; email: string }
  session: { assurance: number }
}

/** The newest session of this person that has not ended. */
export async function liveSession(world: World, who: Person) {
  for (const cookie of who.cookies.slice(-4).toReversed()) {
    const me = await send(world, cookie, 'GET', '/api/auth/me')
    if (me.statusCode === 200) return { cookie, ...(me.json() as Me) }
  }
}

/** The newest mail that this person can read with a link to one of these pages. */
export async function linkTo({ inbox }: World, { mailboxes }: Person, ...pages: string[]) {
  const letters = await inbox.read(...mailboxes)
  return letters.findLast(({ page }) => page !== undefined && pages.includes(page))?.token
}

/** Signs in with a password, and with a factor of this person where one is needed. */
export async function signIn(world: World, who: Person, email: string, password: string) {
  const login = await send(world, '', 'POST', '/api/auth/login', { email, password })
  if (login.statusCode !== 202) return login
  return (await complete(world, who, cookieSet(login, 'login') ?? '', email)) ?? login
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
}

/** A code that was not used before by the account with this address. */
export async function freshCode({ app: { db } }: World, email: string, secret: string) {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailNormalized, email))
  if (found[0]) await forgetCodes(db, found[0].id)
  return codeOf(db, secret)
}
