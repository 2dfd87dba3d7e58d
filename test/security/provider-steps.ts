import { randomUUID } from 'node:crypto'
import { confirmEmail } from '../../src/domain/accounts/emails.ts'
import { beginFlow, completeFlow } from '../../src/domain/accounts/provider-flows.ts'
import { unlinkOwnProvider } from '../../src/domain/accounts/provider-links.ts'
import { recoverAccount, requestRecovery } from '../../src/domain/accounts/recovery.ts'
import { beginTotp, confirmTotp } from '../../src/domain/accounts/totp-enrolment.ts'
import { findPendingLogin } from '../../src/domain/factors/pending-logins.ts'
import { findProviderAccount, listProviderAccounts } from '../../src/domain/providers/accounts.ts'
import { confirmAddress } from '../../src/domain/sign-in/confirmation.ts'
import { signIn } from '../../src/domain/sign-in/password-sign-in.ts'
import { provePassword } from '../../src/domain/sign-in/reauthentication.ts'
import { registerUser, requestAccount } from '../../src/domain/sign-in/registration.ts'
import { completeSignIn } from '../../src/domain/sign-in/second-step.ts'
import type { SignedInActor } from '../../src/domain/actor.ts'
import { codeOf, forgetCodes } from '../support/second-factors.ts'
import { entered, linked } from './provider-rules.ts'
import { attempt, count, findAccount, liveSession, providers, renew } from './provider-world.ts'
import type { Kind, Person, World } from './provider-world.ts'

// What an owner and a stranger do. Each step is tried with what the person has, and the portal may
// refuse it.

type Intent = 'sign-in' | 'link' | 'reauthenticate' | 'confirm'
type Begun = Awaited<ReturnType<typeof signIn>>

const choosePassword = ({ passwords }: Person) => {
  const password = `horse ${randomUUID()}`
  passwords.push(password)
  return password
}

/** Who this person is at a provider. Only `hearsay` says of a stranger that the address is theirs. */
function claimsOf({ address }: World, { name, id }: Person, kind: Kind) {
  const isOwn = name === 'owner' || kind === 'hearsay'
  return {
    iss: `https://${kind}.example`,
    sub: `${kind}-${id}`,
    email: isOwn ? address : `${id}@example.com`,
    email_verified: true,
    auth_time: Math.floor(Date.now() / 1000)
  }
}

/** The second step of a sign-in, with whatever this person has. Returns the session, if it began. */
async function complete(world: World, who: Person, begun: Begun | undefined) {
  if (!begun?.login) return begun
  const { services, actor } = world
  const login = begun.login.secret
  const account = await findPendingLogin(services.db, login)
  const verify = (factor: { code: string } | { recoveryCode: string }) => {
    const input = { login, factor, device: undefined, presented: [] }
    return attempt(() => completeSignIn(services, actor, input))
  }
  for (const secret of who.apps.slice(-2)) {
    if (account) await forgetCodes(services.db, account.id)
    const done = await verify({ code: await codeOf(services.db, secret) })
    if (done) return done
  }
  const [recoveryCode] = who.recoveryCodes.splice(-1)
  return recoveryCode === undefined ? undefined : verify({ recoveryCode })
}

/** Leads somebody through a provider. */
function through(
  { services, actor }: World,
  kind: Kind,
  {
    claims,
    ...start
  }: {
    intent: Intent
    claims: object
    self?: SignedInActor
    token?: string
  }
) {
  const by = start.self ?? actor
  return attempt(async () => {
    const target = { key: kind, returnTo: '/', errorTo: '/' }
    const self = start.self
    const { flow } = await beginFlow(services, by, { ...target, ...start, self, device: undefined })
    const provider = providers.find(({ key }) => key === kind)
    if (!provider) throw new Error(`there is no provider ${kind}`)
    const params = { code: JSON.stringify(claims), state: flow.state }
    const browser = { device: undefined, locale: undefined, presented: [] }
    return {
      result: await completeFlow(services, by, { provider, flow, params, self, ...browser })
    }
  })
}

/** Returns the session that this began, if it did. */
export async function signInWithPassword(world: World, who: Person, password: string) {
  const { services, actor, address: email } = world
  const input = { email, password, presented: [] }
  return complete(world, who, await attempt(() => signIn(services, actor, input)))
}

/** Signs in with a provider. Throws when that must not be possible. */
export async function signInWithProvider(world: World, who: Person, kind: Kind) {
  const claims = claimsOf(world, who, kind)
  const { db } = world.services
  const before = await findAccount(world)
  const identity = { issuer: claims.iss, subject: claims.sub }
  const isKnown = (await findProviderAccount(db, identity)) !== undefined
  const done = await through(world, kind, { intent: 'sign-in', claims })
  const session = await complete(world, who, done?.result as Begun | undefined)
  if (session?.session) entered(world, who, session, { kind, isKnown, before })
  return session
}

type Step = (world: World, who: Person) => Promise<unknown>

/** A step of somebody who signs in first, if necessary. Counted when it returns something. */
const inSession =
  (
    name: string,
    work: (world: World, who: Person, self: SignedInActor) => Promise<unknown>
  ): Step =>
  async (world, who) => {
    let self = await liveSession(world, who)
    if (!self) await steps.signIn?.(world, who)
    self ??= await liveSession(world, who)
    if (self && (await attempt(() => work(world, who, self)))) count(world, who, name)
  }

const withKind = (kind: Kind): Record<string, Step> => ({
  [`sign in with ${kind}`]: async (world, who) => {
    if (await signInWithProvider(world, who, kind)) count(world, who, `sign in with ${kind}`)
  },
  [`link ${kind}`]: inSession(`link ${kind}`, async (world, who, self) => {
    const claims = claimsOf(world, who, kind)
    const done = await through(world, kind, { intent: 'link', self, claims })
    if (done) await linked(world, who, self)
    return done
  }),
  [`prove ${kind}`]: inSession(`prove ${kind}`, async (world, who, self) => {
    const claims = claimsOf(world, who, kind)
    const done = await through(world, kind, { intent: 'reauthenticate', self, claims })
    if (done?.result && 'renewed' in done.result) renew(self, done.result.renewed)
    return done
  }),
  [`confirm with ${kind}`]: async (world, who) => {
    for (const token of await linksOf(world, who, 'confirm')) {
      const claims = claimsOf(world, who, kind)
      const done = await through(world, kind, { intent: 'confirm', token, claims })
      const session = await complete(world, who, done?.result as Begun | undefined)
      if (!session?.session) continue
      world.proved = true
      entered(world, who, session)
      return count(world, who, `confirm with ${kind}`)
    }
  }
})

/** The links that this person can read, the newest first. */
const linksOf = async ({ inbox, address }: World, { name }: Person, kind: string) =>
  name === 'owner' ? (await inbox.tokens(address, kind)).slice(-3).toReversed() : []

export const steps: Record<string, Step> = {
  async register(world, who) {
    const { services, actor, address: email } = world
    const { mail } = services
    const input = { email, password: choosePassword(who), name: 'Ada' }
    const done = await attempt(async () => {
      if (mail?.verification !== 'required') return registerUser(services, actor, input)
      await requestAccount({ ...services, mail }, actor, input)
      return true
    })
    if (done) count(world, who, 'register')
  },
  async confirm(world, who) {
    const { services, actor } = world
    const password = who.passwords.at(-1) ?? ''
    for (const token of await linksOf(world, who, 'confirm')) {
      const input = { token, password, presented: [] }
      const begun = await attempt(() => confirmAddress(services, actor, input))
      if (!begun) continue
      world.proved = true
      const session = await complete(world, who, begun as Begun)
      if (session?.session) entered(world, who, session)
      return count(world, who, 'confirm')
    }
  },
  confirmEmail: inSession('confirm the address', async (world, who, self) => {
    for (const token of await linksOf(world, who, 'email-verify')) {
      if (!(await attempt(() => confirmEmail(world.services, self, { token })))) continue
      world.proved = true
      return true
    }
  }),
  async recover(world, who) {
    if (who.name !== 'owner') return // The link goes to the mailbox.
    const { services, actor, address: email } = world
    await attempt(() => requestRecovery(services, actor, { email }))
    const [token] = await linksOf(world, who, 'recovery')
    if (token === undefined) return
    const input = { token, newPassword: choosePassword(who) }
    const done = await attempt(async () => {
      await recoverAccount(services, actor, input)
      return true
    })
    if (!done) return
    world.proved = true
    count(world, who, 'recover')
    return true
  },
  async signIn(world, who) {
    for (const password of who.passwords.slice(-2)) {
      const session = await signInWithPassword(world, who, password)
      if (!session?.session) continue
      entered(world, who, session)
      return count(world, who, 'sign in')
    }
  },
  enrol: inSession('enrol', async (world, who, self) => {
    const { services } = world
    const { secret } = await beginTotp(services, self, { issuer: 'portal' })
    const code = await codeOf(services.db, secret)
    const confirmed = await confirmTotp(services, self, { code })
    renew(self, confirmed)
    who.apps.push(secret)
    who.recoveryCodes = confirmed.recoveryCodes
    await linked(world, who, self)
    return true
  }),
  prove: inSession('prove the password', async (world, who, self) => {
    renew(self, await provePassword(world.services, self, who.passwords.at(-1) ?? ''))
    return true
  }),
  unlink: inSession('unlink', async ({ services }, _, self) => {
    const [first] = await listProviderAccounts(services.db, self.id)
    if (!first) return undefined
    await unlinkOwnProvider(services, self, first)
    return true
  }),
  ...withKind('mailbox'),
  ...withKind('hearsay')
}
