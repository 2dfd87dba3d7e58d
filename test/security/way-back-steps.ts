import { createPasskey } from '../support/authenticator.ts'
import { passkeySignIn } from '../support/passkeys.ts'
import { codeOf, cookieSet } from '../support/second-factors.ts'
import {
  complete,
  freshCode,
  linkTo,
  liveSession,
  newAddress,
  newPassword,
  note,
  send,
  signIn as signInWith
} from './way-back-people.ts'
import type { Person, Response, Session, World } from './way-back-people.ts'
import { beginLink, confirmWith, linkAt, proveAt, signInAt, unlink } from './way-back-providers.ts'
import type { Purpose } from './way-back-portal.ts'
import { accountIsEmpty, isProved, nothingCameBack, ownerIsAlone } from './way-back-rules.ts'

// The steps that anybody can take. Each one is tried with what the person has, and the portal may refuse it.

export type Step = (world: World, who: Person) => Promise<unknown>

/** Steps that add a way in to an account. */
const adding = new Set(['enrol', 'add a passkey', 'create a key', 'link an account'])

/** A step of somebody who signs in first, if that is possible and necessary. */
const withSession =
  (
    name: string,
    work: (world: World, who: Person, session: Session) => Promise<Response | undefined>
  ): Step =>
  async (world, who) => {
    const session = await someSession(world, who)
    const response = session && (await work(world, who, session))
    if (!response || !note(world, who, name, response)) return
    if (adding.has(name) && world.app.context.mail && !session.user.emailVerified) {
      throw new Error(`${who.name} could ${name} before the mailbox was proved`)
    }
    return true
  }

async function someSession(world: World, who: Person) {
  const session = await liveSession(world, who)
  if (session) return session
  await steps.signIn(world, who)
  const begun = await liveSession(world, who)
  if (begun) return begun
  await steps.signInWithPasskey(world, who)
  return liveSession(world, who)
}

/** A link of a mail that sets a new password. */
const withLink =
  (name: Purpose, url: string): Step =>
  async (world, who) => {
    const token = await linkTo(world, who, name)
    if (token === undefined) return
    const password = newPassword()
    const body = { token, newPassword: password }
    if (!note(world, who, name, await send(world, '', 'POST', url, body))) return
    who.passwords.push(password)
    await nothingCameBack(world)
    await accountIsEmpty(world, who)
    return true
  }

/** The addresses at which this person may look for the account. */
const addressesOf = ({ address }: World, { mailboxes }: Person) => [
  ...new Set([address, ...mailboxes])
]

/** Signs in with what this person knows, and restores an account that is to be deleted. */
async function enterBy(world: World, who: Person, restore: boolean) {
  for (const email of addressesOf(world, who)) {
    for (const password of who.passwords.slice(-2)) {
      const input = { email, password, ...(restore && { restore }) }
      const response = await signInWith(world, who, input)
      if (response.statusCode !== 200) continue
      isProved(world, who, (response.json() as Session).user)
      note(world, who, restore ? 'restore' : 'sign in', response)
      if (restore) await nothingCameBack(world)
      return true
    }
  }
}

export const steps = {
  async register(world, who) {
    const password = newPassword()
    const body = { email: world.address, password, name: 'Ada' }
    const response = await send(world, '', 'POST', '/api/auth/register', body)
    if (note(world, who, 'register', response)) who.passwords.push(password)
  },
  async confirm(world, who) {
    const token = await linkTo(world, who, 'confirm')
    const password = who.passwords.at(-1)
    if (token === undefined || password === undefined) return
    const response = await send(world, '', 'POST', '/api/auth/confirm', { token, password })
    note(world, who, 'confirm', response)
    if (response.statusCode !== 202) return
    const pending = cookieSet(response, 'login') ?? ''
    const signedIn = await complete(world, who, pending, world.address)
    if (signedIn) note(world, who, 'sign in', signedIn)
  },
  signIn: (world, who) => enterBy(world, who, false),
  async signInWithPasskey(world, who) {
    const passkey = who.passkeys.at(-1)
    if (!passkey) return
    note(world, who, 'sign in with a passkey', await passkeySignIn(world.app, passkey))
  },
  enrol: withSession('enrol', async (world, who, { cookie }) => {
    const begun = await send(world, cookie, 'POST', '/api/user/totp')
    if (begun.statusCode !== 200) return begun
    const { secret } = begun.json() as { secret: string }
    const code = await codeOf(world.app.db, secret)
    const confirmed = await send(world, cookie, 'POST', '/api/user/totp/confirm', { code })
    if (confirmed.statusCode === 200) {
      who.secrets.push(secret)
      who.recoveryCodes.push(...(confirmed.json().recoveryCodes ?? []))
    }
    return confirmed
  }),
  addPasskey: withSession('add a passkey', async (world, who, { cookie }) => {
    const options = await send(world, cookie, 'POST', '/api/user/passkeys/options')
    if (options.statusCode !== 200) return options
    const { passkey, credential } = createPasskey(options.json())
    const added = await send(world, cookie, 'POST', '/api/user/passkeys', { credential })
    if (added.statusCode === 201) who.passkeys.push(passkey)
    return added
  }),
  removeApp: withSession('remove the app', (world, _, { cookie }) =>
    send(world, cookie, 'DELETE', '/api/user/totp')
  ),
  removePasskey: withSession('remove a passkey', async (world, _, { cookie }) => {
    const list = await send(world, cookie, 'GET', '/api/user/passkeys')
    const [first] = (list.json() as { items: { id: string }[] }).items
    return first && send(world, cookie, 'DELETE', `/api/user/passkeys/${first.id}`)
  }),
  needFactor: withSession('need a factor', (world, _, { cookie }) =>
    send(world, cookie, 'PUT', '/api/user/second-factor', { required: true })
  ),
  letPasswordSuffice: withSession('let the password suffice', (world, _, { cookie }) =>
    send(world, cookie, 'PUT', '/api/user/second-factor', { required: false })
  ),
  renewCodes: withSession('renew the codes', async (world, who, { cookie }) => {
    const renewed = await send(world, cookie, 'POST', '/api/user/recovery-codes')
    if (renewed.statusCode === 200) who.recoveryCodes.push(...renewed.json().recoveryCodes)
    return renewed
  }),
  async changePassword(world, who) {
    const password = newPassword()
    const body = { currentPassword: who.passwords.at(-1) ?? '', newPassword: password }
    const isChanged = await withSession('change the password', (_, __, { cookie }) =>
      send(world, cookie, 'PUT', '/api/user/password', body)
    )(world, who)
    if (!isChanged) return
    who.passwords.push(password)
    await ownerIsAlone(world, who)
  },
  async endOtherSessions(world, who) {
    const areEnded = await withSession('end other sessions', (_, __, { cookie }) =>
      send(world, cookie, 'DELETE', '/api/user/sessions')
    )(world, who)
    if (areEnded) await ownerIsAlone(world, who)
  },
  confirmAddress: withSession('confirm the address', async (world, who, { cookie }) => {
    await send(world, cookie, 'POST', '/api/user/email/verification')
    const token = await linkTo(world, who, 'confirm an address')
    return token === undefined
      ? undefined
      : send(world, cookie, 'POST', '/api/user/email/confirm', { token })
  }),
  changeAddress: withSession('change the address', async (world, who, { cookie }) => {
    const email = newAddress()
    const currentPassword = who.passwords.at(-1)
    const body = { email, ...(currentPassword !== undefined && { currentPassword }) }
    const asked = await send(world, cookie, 'PUT', '/api/user/email', body)
    if (asked.statusCode >= 300) return asked
    who.mailboxes.push(email)
    const token = await linkTo(world, who, 'confirm an address')
    return send(world, cookie, 'POST', '/api/user/email/confirm', { token: token ?? '' })
  }),
  authenticateAgain: withSession('authenticate again', async (world, who, { cookie, user }) => {
    const secret = who.secrets.at(-1)
    const proof =
      secret === undefined
        ? { password: who.passwords.at(-1) ?? '' }
        : { code: await freshCode(world, user.email, secret) }
    return send(world, cookie, 'POST', '/api/auth/reauthenticate', proof)
  }),
  createKey: withSession('create a key', async (world, who, { cookie }) => {
    const created = await send(world, cookie, 'POST', '/api/user/keys', { name: 'A key' })
    if (created.statusCode === 201) who.keys.push(created.json().secret)
    return created
  }),
  revokeKey: withSession('revoke a key', async (world, _, { cookie }) => {
    const list = await send(world, cookie, 'GET', '/api/user/keys')
    const items = (list.json() as { items: { id: string; state: string }[] }).items
    const active = items.find(({ state }) => state === 'active')
    return active && send(world, cookie, 'DELETE', `/api/user/keys/${active.id}`)
  }),
  async endKeys(world, who) {
    const token = await linkTo(world, who, 'end keys')
    if (token === undefined) return
    note(world, who, 'end keys', await send(world, '', 'POST', '/api/auth/keys/end', { token }))
  },
  deleteAccount: withSession('delete the account', async (world, who, { cookie, user }) => {
    const currentPassword = who.passwords.at(-1)
    const body = { ...(currentPassword !== undefined && { currentPassword }) }
    const response = await send(world, cookie, 'POST', '/api/user/deletion', body)
    if (response.statusCode === 202) {
      world.planned = { id: user.id, cookies: [...world.owner.cookies, ...world.other.cookies] }
    }
    // Whoever registers the address now begins an account that nobody has confirmed.
    if (response.statusCode === 204 && user.email === world.address) delete world.confirmedFirst
    return response
  }),
  async restore(world, who) {
    const token = await linkTo(world, who, 'restore')
    if (token === undefined) return enterBy(world, who, true)
    const isRestored = note(
      world,
      who,
      'restore',
      await send(world, '', 'POST', '/api/auth/restore', { token })
    )
    if (isRestored) await nothingCameBack(world)
  },
  async recover(world, who) {
    // Who has moved the account asks at its new address as well.
    for (const email of new Set(who.mailboxes)) {
      note(world, who, 'ask', await send(world, '', 'POST', '/api/auth/recovery', { email }))
    }
    return withLink('recover', '/api/auth/recovery/confirm')(world, who)
  },
  revertAddress: withLink('revert an address', '/api/auth/email/revert'),
  revertFactors: withLink('revert factors', '/api/auth/factors/revert'),
  unlink: withSession('unlink an account', unlink),
  linkMailbox: withSession('link an account', (...by) => linkAt('mailbox', ...by)),
  linkHearsay: withSession('link an account', (...by) => linkAt('hearsay', ...by)),
  beginLink: withSession('begin to link an account', beginLink),
  linkStaff: withSession('link an account', (...by) => linkAt('staff', ...by)),
  prove: withSession('prove with a provider', proveAt),
  signInAtMailbox: (world, who) => signInAt('mailbox', world, who),
  signInAtHearsay: (world, who) => signInAt('hearsay', world, who),
  signInAtStaff: (world, who) => signInAt('staff', world, who),
  confirmWithProvider: confirmWith
} satisfies Record<string, Step>

export type StepName = keyof typeof steps
