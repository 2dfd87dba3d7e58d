import { findProviderAccount } from '../../src/domain/providers/accounts.ts'
import { cookieSet } from '../support/second-factors.ts'
import { complete, count, findAccount, linkTo, send, sessionOf } from './way-back-people.ts'
import type { Person, Response, Session, World } from './way-back-people.ts'
import { issuerOf } from './way-back-portal.ts'
import type { Kind } from './way-back-portal.ts'
import { entered, nothingCameBack } from './way-back-rules.ts'

// Ways through a provider.

type Intent = 'sign-in' | 'link' | 'reauthenticate' | 'confirm'

/**
 * Who this person is at a provider. Only `hearsay` says of somebody else that the address is
 * theirs. At `mailbox` they hide their own, with which they would get an account of their own.
 */
export function claimsOf({ address }: World, { name, id }: Person, kind: Kind) {
  const isOwn = name === 'owner' || kind === 'hearsay'
  const email = isOwn ? address : kind === 'staff' ? `${id}@guests.example` : undefined
  return {
    iss: issuerOf(kind),
    sub: `${kind}-${id}`,
    ...(email !== undefined && { email, email_verified: true }),
    auth_time: Math.floor(Date.now() / 1000)
  }
}

/** Leads somebody to a provider. Returns their way back, which `finish` completes. */
async function begin(
  world: World,
  who: Person,
  kind: Kind,
  { cookie = '', ...body }: { intent: Intent; cookie?: string; token?: string; restore?: boolean }
) {
  const begun = await send(world, cookie, 'POST', `/api/auth/providers/${kind}`, body)
  if (begun.statusCode !== 200) return undefined
  const state = new URL((begun.json() as { url: string }).url).searchParams.get('state') ?? ''
  const [flow = ''] = String(begun.headers['set-cookie']).split(';')
  const params = new URLSearchParams({ code: JSON.stringify(claimsOf(world, who, kind)), state })
  return {
    cookie: [cookie, flow].join('; '),
    url: `/api/auth/providers/${kind}/finish?${params}`
  }
}

export async function finish(world: World, way: Awaited<ReturnType<typeof begin>>) {
  if (!way) return undefined
  const response = await send(world, way.cookie, 'GET', way.url)
  if (response.statusCode !== 303) throw new Error(`finish: ${response.body}`)
  return { response, problem: problemOf(response) }
}

/** The code with which a browser is led back, such as `account-exists`. */
const problemOf = ({ headers: { location = '' } }: Response) =>
  new URL(location, 'http://localhost').searchParams.get('problem') ?? undefined

/** Keeps the session that a way through a provider has begun, after the second factor if due. */
async function keep(world: World, who: Person, response: Response) {
  const login = cookieSet(response, 'login')
  const begun = login === undefined ? response : await complete(world, who, login, world.address)
  const cookie = begun && cookieSet(begun, 'session')
  if (cookie === undefined) return undefined
  who.cookies.push(cookie)
  return sessionOf(world, cookie)
}

/** Returns the session, or the code of the refusal. */
export async function enterAt(kind: Kind, world: World, who: Person, restore = false) {
  const before = await findAccount(world, world.address)
  const { iss: issuer, sub: subject } = claimsOf(world, who, kind)
  const known = await findProviderAccount(world.app.db, { issuer, subject })
  const way = await begin(world, who, kind, { intent: 'sign-in', ...(restore && { restore }) })
  const finished = await finish(world, way)
  if (!finished) return undefined
  const session = await keep(world, who, finished.response)
  if (session) {
    entered(world, who, session, { kind, isKnown: known !== undefined, before })
    if (restore) await nothingCameBack(world)
  }
  return session ?? finished.problem
}

export async function signInAt(kind: Kind, world: World, who: Person) {
  const session = await enterAt(kind, world, who)
  const isPending = session === 'deletion-pending'
  const restored = isPending ? await enterAt(kind, world, who, true) : session
  if (typeof restored === 'object') count(world, who, `sign in at ${kind}`)
}

/** A way of a session. Returns what counts as a response of the portal. */
async function ofSession(
  intent: Intent,
  kind: Kind,
  world: World,
  who: Person,
  { cookie }: Session
) {
  const done = await finish(world, await begin(world, who, kind, { intent, cookie }))
  if (!done || done.problem !== undefined) return undefined
  return Object.assign(done.response, { statusCode: 204 })
}

export const linkAt = (kind: Kind, ...by: [World, Person, Session]) =>
  ofSession('link', kind, ...by)
export const proveAt = (...by: [World, Person, Session]) =>
  ofSession('reauthenticate', 'mailbox', ...by)

/** A way that is begun now, and completed when the owner is back. */
export async function beginLink(world: World, who: Person, { cookie }: Session) {
  const way = await begin(world, who, 'mailbox', { intent: 'link', cookie })
  if (way) who.flows.push(way)
  return undefined
}

export async function unlink(world: World, _: Person, { cookie }: Session) {
  const list = await send(world, cookie, 'GET', '/api/user/providers')
  const [first] = (list.json() as { items: { id: string }[] }).items
  return first && send(world, cookie, 'DELETE', `/api/user/providers/${first.id}`)
}

/** Completes a registration that began with a provider. */
export async function confirmWith(world: World, who: Person) {
  const token = await linkTo(world, who, 'confirm')
  if (token === undefined) return
  for (const kind of ['mailbox', 'hearsay'] as const) {
    const finished = await finish(
      world,
      await begin(world, who, kind, { intent: 'confirm', token })
    )
    const session = finished && (await keep(world, who, finished.response))
    if (session) return count(world, who, 'confirm')
  }
}
