import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Test } from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { configured } from '../support/providers/configured.ts'
import { startEntra } from '../support/providers/entra.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import type { Jar } from '../support/providers/flow.ts'
import { walk } from '../support/providers/walk.ts'
import { cookieSet } from '../support/second-factors.ts'
import { complete, linkTo, liveSession, note, send } from './way-back-people.ts'
import type { Person, World } from './way-back-people.ts'
import type { Account } from './way-back-claims.ts'

// What an owner and a stranger do with providers, as steps of the model of ways back.

/** `mailbox` speaks for the mailboxes of its accounts. `hearsay` believes what it is told. */
const kinds = ['mailbox', 'hearsay'] as const
type Kind = (typeof kinds)[number]

export async function startProviders(t: Pick<Test, 'teardown'>) {
  const servers = {
    mailbox: await startEntra(t, 'mailbox'),
    hearsay: await startEntra(t, 'hearsay')
  }
  const provider = (key: Kind, trustsEmail: Provider['trustsEmail']): Provider => ({
    ...configured.entra(servers[key]),
    key,
    kind: 'oidc',
    name: key,
    trustsEmail
  })
  return { servers, providers: [provider('mailbox', 'claim'), provider('hearsay', 'never')] }
}
type Servers = Awaited<ReturnType<typeof startProviders>>['servers']

export interface ProviderWorld extends World {
  servers: Servers
}

const ids = new WeakMap<Person, string>()

/** Who this person is at a provider. Only `hearsay` says of a stranger that the address is theirs. */
function claimsOf({ address }: World, who: Person, kind: Kind) {
  const id = ids.get(who) ?? randomUUID()
  ids.set(who, id)
  const isOwn = who.name === 'owner' || kind === 'hearsay'
  return {
    sub: `${kind}-${id}`,
    name: who.name,
    email: isOwn ? address : `${id}@example.com`,
    email_verified: true
  }
}

interface Way {
  kind: Kind
  intent: 'sign-in' | 'link' | 'reauthenticate' | 'confirm'
  cookie?: string
  token?: string
}

/** Leads somebody through a provider. Returns the code of a refusal, or the cookies. */
async function through(world: ProviderWorld, who: Person, { kind, cookie, ...way }: Way) {
  const { app, ip, servers } = world
  const jar: Jar = new Map(cookie === undefined ? [] : [pairOf(cookie)])
  const { response, url } = await begin(app, jar, { key: kind, ip, ...way })
  if (url === undefined) {
    note(world, who, `begin to ${way.intent}`, response)
    return { refusal: (response.json() as { code: string }).code, jar }
  }
  servers[kind].claims = claimsOf(world, who, kind)
  const { response: finish, problem } = await comeBack(app, jar, await walk(url), ip)
  const bad = ['rate-limited', 'provider-unavailable', 'overloaded', 'flow-expired']
  if (finish.statusCode !== 303 || (problem !== undefined && bad.includes(problem))) {
    throw new Error(`${way.intent} at ${kind}: ${finish.statusCode} ${problem} ${finish.body}`)
  }
  return { refusal: problem, jar }
}

const pairOf = (cookie: string): [string, string] => {
  const at = cookie.indexOf('=')
  return [cookie.slice(0, at), cookie.slice(at + 1)]
}
const count = ({ done }: World, { name }: Person, step: string) =>
  done.set(`${name}: ${step}`, (done.get(`${name}: ${step}`) ?? 0) + 1)

/** The user of the session that a way has led to. */
async function enteredWith(world: ProviderWorld, who: Person, jar: Jar) {
  const value = jar.get('portal_session')
  if (value === undefined) return undefined
  const cookie = `portal_session=${value}`
  const me = await send(world, cookie, 'GET', '/api/auth/me')
  if (me.statusCode !== 200) return undefined
  who.cookies.push(cookie)
  return (me.json() as { user: Account }).user
}

/** Signs in with a provider, with a second factor of this person where one is needed. */
async function signIn(world: ProviderWorld, who: Person, kind: Kind) {
  const { refusal, jar } = await through(world, who, { kind, intent: 'sign-in' })
  if (refusal === 'second-factor-due') {
    const pending = `portal_login=${jar.get('portal_login')}`
    const response = await complete(world, who, pending, world.address)
    const cookie = response && cookieSet(response, 'session')
    if (cookie) jar.set(...pairOf(cookie))
  }
  return enteredWith(world, who, jar)
}

/**
 * The same, and throws when it enters an account of which nobody has proved the mailbox, because of
 * its address.
 */
async function signInByAddress(world: ProviderWorld, who: Person, kind: Kind) {
  const { db } = world.app
  const { sub, email } = claimsOf(world, who, kind)
  const [before] = await db.select().from(users).where(eq(users.emailNormalized, email))
  const [known] = await db
    .select()
    .from(providerAccounts)
    .where(and(eq(providerAccounts.subject, sub), eq(providerAccounts.provider, kind)))
  const user = await signIn(world, who, kind)
  if (!user) return
  count(world, who, `sign in with ${kind}`)
  if (known) return
  const isSame = before?.id === user.id
  if (isSame && before.emailVerifiedAt === null) {
    throw new Error(`${who.name} enters an account whose mailbox nobody has proved, with ${kind}`)
  }
  if (isSame && who.name !== 'owner') {
    throw new Error(`${who.name} enters the account of the owner with ${kind}`)
  }
  if (user.email === world.address && kind === 'mailbox') world.confirmedFirst ??= who.name
}

type ProviderStep = (world: ProviderWorld, who: Person) => Promise<unknown>

const stepsOf = (kind: Kind): Record<string, ProviderStep> => ({
  [`sign in with ${kind}`]: (world, who) => signInByAddress(world, who, kind),
  [`link ${kind}`]: async (world, who) => {
    const session = await liveSession(world, who)
    if (!session) return
    const { cookie } = session
    const { refusal } = await through(world, who, { kind, intent: 'link', cookie })
    if (refusal === undefined) count(world, who, `link ${kind}`)
  },
  [`authenticate again with ${kind}`]: async (world, who) => {
    const session = await liveSession(world, who)
    if (!session) return
    const { cookie } = session
    const { jar } = await through(world, who, { kind, intent: 'reauthenticate', cookie })
    if (jar.get('portal_session') !== pairOf(cookie)[1]) await enteredWith(world, who, jar)
  },
  [`confirm with ${kind}`]: async (world, who) => {
    const token = await linkTo(world, who, 'confirm')
    if (token === undefined) return
    const { jar, refusal } = await through(world, who, { kind, intent: 'confirm', token })
    const user = await enteredWith(world, who, jar)
    if (user && refusal === undefined) {
      world.confirmedFirst ??= who.name
      count(world, who, `confirm with ${kind}`)
    }
  }
})

export const providerSteps: Record<string, ProviderStep> = {
  ...stepsOf('mailbox'),
  ...stepsOf('hearsay'),
  async unlink(world, who) {
    const session = await liveSession(world, who)
    if (!session) return
    const list = await send(world, session.cookie, 'GET', '/api/user/providers')
    const [first] = (list.json() as { items: { id: string }[] }).items
    if (!first) return
    const url = `/api/user/providers/${first.id}`
    note(world, who, 'unlink', await send(world, session.cookie, 'DELETE', url))
  }
}

/** No provider account of the other person leads into the account. */
export async function noProviderWorks(world: ProviderWorld, account: Account) {
  for (const kind of kinds) {
    const user = await signIn(world, world.other, kind)
    if (user?.id === account.id) throw new Error(`${world.other.name} gets in with ${kind}`)
  }
}
