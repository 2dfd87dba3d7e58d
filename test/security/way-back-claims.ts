import { and, eq, isNull } from 'drizzle-orm'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import {
  resetSecondFactor,
  unlinkUserProvider
} from '../../src/domain/administration/factor-removal.ts'
import { revokeKeysOf } from '../../src/domain/services/key-revocation.ts'
import { findRequired } from '../../src/domain/providers/provider.ts'
import { operator } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { passkeySignIn } from '../support/passkeys.ts'
import { cookieSet } from '../support/second-factors.ts'
import {
  complete,
  count,
  findAccount,
  lettersOf,
  liveSession,
  newPassword,
  note,
  send,
  sessionOf
} from './way-back-people.ts'
import type { Person, Response, World } from './way-back-people.ts'
import { kinds } from './way-back-portal.ts'
import { claimsOf, enterAt, finish } from './way-back-providers.ts'
import { steps } from './way-back-steps.ts'

// The way back that docs/understand/ways-back.md names, and what must be true after it.

const urls: Record<string, string> = {
  'revert an address': '/api/auth/email/revert',
  'revert factors': '/api/auth/factors/revert'
}

/**
 * The owner uses the link of the oldest notice that they got, or else asks for a new password, or
 * else registers. If they ask first, the mail about the new password names factors that are not
 * theirs, and the link is for these. Of a domain that requires a provider, they sign in there.
 */
export async function wayBack(world: World, asksFirst: boolean) {
  const { owner, other, app, address } = world
  if (other.name === 'mailbox thief') {
    // The owner has the mailbox again. What was read stays read.
    other.letters = await lettersOf(world, other)
    other.mailboxes = other.mailboxes.filter((each) => !owner.mailboxes.includes(each))
  }
  // Only the oldest link ends the later ones, which may be in a mailbox of the other person.
  const mayAsk = asksFirst && other.name !== 'mailbox thief' && owner.mailboxes.length === 1
  const hasRecovered = mayAsk && (await restoreAndRecover(world))
  const areForeign = other.passkeys.length + other.secrets.length > 0
  const isBack =
    (hasRecovered && !areForeign) ||
    (await takeBack(world)) ||
    hasRecovered ||
    (await restoreAndRecover(world))
  if (findRequired(app.context.providers, address)) return enterManaged(world)
  if (!isBack) {
    await steps.register(world, owner)
    await steps.confirm(world, owner)
  }
  if (world.hadTwoFactors) await askOperator(world)
}

/** Returns whether a link was used. */
async function takeBack(world: World) {
  const { owner } = world
  for (const { purpose, token } of await lettersOf(world, owner)) {
    const url = urls[purpose]
    if (url === undefined) continue
    const password = newPassword()
    const response = await send(world, '', 'POST', url, { token, newPassword: password })
    if (note(world, owner, `take back: ${purpose}`, response)) {
      owner.passwords.push(password)
      return true
    }
    if (response.json().code !== 'invalid-token') throw new Error(`${url}: ${response.body}`)
  }
}

async function restoreAndRecover(world: World) {
  const { owner, address, app } = world
  const account = await findAccount(world, address)
  if (account?.status === 'deactivated') {
    await steps.restore(world, owner)
    const restored = await findAccount(world, address)
    if (restored?.status === 'deactivated' && !account.isConfirmed) {
      // Nobody gets a mail about it: docs/do/incidents.md.
      await updateUser(app.context, operator, { id: account.id, changes: { status: 'active' } })
      count(world, owner, 'ask an operator to restore')
    }
  }
  return steps.recover(world, owner)
}

/**
 * Where a thief had a session with both factors, what they added is established at once: the owner
 * asks an operator to remove it.
 */
async function askOperator(world: World) {
  const { app, owner, other } = world
  count(world, owner, 'ask an operator to remove everything')
  for (const email of owner.mailboxes) {
    const account = await findAccount(world, email)
    if (!account) continue
    const { id: userId } = account
    await resetSecondFactor(app.context, operator, { userId })
    await revokeKeysOf(app.db, operator, { userId })
    for (const { id } of await accountsOf(world, userId, other)) {
      await unlinkUserProvider(app.context, operator, { userId, id })
    }
  }
}

/** The accounts at providers of a person that are linked to a user. */
async function accountsOf(world: World, userId: string, who: Person) {
  const subjects = kinds.map((kind) => claimsOf(world, who, kind).sub)
  const linked = await world.app.db
    .select({ id: providerAccounts.id, subject: providerAccounts.subject })
    .from(providerAccounts)
    .where(eq(providerAccounts.userId, userId))
  return linked.filter(({ subject }) => subjects.includes(subject))
}

/** Sessions and keys of before go on for a confirmed address, so the owner ends them. */
async function enterManaged(world: World) {
  const { app, address, owner, other } = world
  const account = await findAccount(world, address)
  if (world.hadTwoFactors) await askOperator(world)
  let entered = await enterAt('staff', world, owner, true)
  if (entered === 'account-exists' && account) {
    // Another account there is in the way: docs/do/sign-in-with-others.md.
    for (const { id } of await accountsOf(world, account.id, other)) {
      await unlinkUserProvider(app.context, operator, { userId: account.id, id })
    }
    count(world, owner, 'ask an operator to unlink')
    entered = await enterAt('staff', world, owner)
  }
  if (typeof entered !== 'object') throw new Error(`the owner is locked out: ${entered}`)
  count(world, owner, 'sign in at the required provider')
  if (!account?.isConfirmed) return
  await send(world, entered.cookie, 'DELETE', '/api/user/sessions')
  const keys = await app.db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, account.id), isNull(apiKeys.revokedAt)))
  for (const { id } of keys) {
    await send(world, entered.cookie, 'DELETE', `/api/user/keys/${id}`)
  }
}

export interface Account {
  id: string
  email: string
}

/** The account that the owner gets into. Throws when they are locked out. */
export async function ownAccount(world: World): Promise<Account> {
  const { owner } = world
  const session = await liveSession(world, owner)
  if (session) return session.user
  const answers: string[] = []
  const password = owner.passwords.at(-1) ?? ''
  for (const email of new Set(owner.mailboxes)) {
    const login = await send(world, '', 'POST', '/api/auth/login', { email, password })
    const done =
      login.statusCode === 202
        ? await complete(world, owner, cookieSet(login, 'login') ?? '', email)
        : login
    if (done?.statusCode === 200) {
      note(world, owner, 'sign in', done)
      return done.json().user as Account
    }
    answers.push(`${login.statusCode} ${login.body}`)
  }
  throw new Error(`the owner is locked out: ${answers.join(', ')}`)
}

/** Everything that the other person has is tried. Throws when something gets into the account. */
export async function nothingWorks(world: World, account: Account) {
  const { app, other, owner } = world
  const isTheirs = (what: string, response: Response) => {
    if (response.statusCode === 200 && response.json().user?.id === account.id) {
      throw new Error(`${other.name} gets in with ${what}`)
    }
  }
  for (const cookie of other.cookies) {
    const session = await sessionOf(world, cookie)
    if (session?.user.id === account.id) throw new Error(`${other.name} has a session`)
  }
  for (const { cookie, url } of other.flows.slice(-2)) await finish(world, { cookie, url })
  for (const pending of other.pending.slice(-3)) {
    const done = await complete(world, other, pending, account.email)
    if (done) isTheirs('a pending sign-in', done)
  }
  const emails = new Set([account.email, ...owner.mailboxes])
  for (const password of new Set(other.passwords.slice(-4))) {
    for (const email of emails) {
      const input = { email, password, restore: true }
      const login = await send(world, '', 'POST', '/api/auth/login', input)
      if (login.statusCode === 202) throw new Error(`${other.name} knows the password`)
      isTheirs('a password', login)
    }
  }
  for (const passkey of other.passkeys) {
    isTheirs('a passkey', await passkeySignIn(app, passkey))
  }
  for (const secret of other.keys) {
    const key = await keyCaller(app, secret).me()
    if (key.statusCode === 200 && key.json().owner.id === account.id) {
      throw new Error(`${other.name} acts with a key`)
    }
  }
  for (const { token } of await lettersOf(world, other)) await tryLink(world, token, isTheirs)
  await noProviderWorks(world, account)
}

async function noProviderWorks(world: World, account: Account) {
  const { app, address, other } = world
  for (const kind of kinds) {
    const entered = await enterAt(kind, world, other)
    const isInside = typeof entered === 'object' && entered.user.id === account.id
    if (isInside) throw new Error(`${other.name} gets in with ${kind}`)
  }
  const isManaged = findRequired(app.context.providers, address) !== undefined
  const linked = await accountsOf(world, account.id, other)
  if (linked.length > 0 && !isManaged) throw new Error(`${other.name} keeps a provider account`)
}

async function tryLink(
  world: World,
  token: string,
  isTheirs: (what: string, response: Response) => void
) {
  const { other } = world
  for (const url of ['recovery/confirm', 'email/revert', 'factors/revert', 'restore']) {
    const body = { token, ...(url !== 'restore' && { newPassword: 'a horse of somebody else' }) }
    await send(world, '', 'POST', `/api/auth/${url}`, body)
  }
  for (const password of other.passwords.slice(-2)) {
    const body = { token, password }
    isTheirs('a link', await send(world, '', 'POST', '/api/auth/confirm', body))
  }
  const cookie = other.cookies.at(-1) ?? ''
  await send(world, cookie, 'POST', '/api/user/email/confirm', { token })
}
