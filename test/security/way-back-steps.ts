import { createPasskey } from '../support/authenticator.ts'
import { passkeySignIn } from '../support/passkeys.ts'
import { codeOf, cookieSet } from '../support/second-factors.ts'
import {
  choosePassword,
  complete,
  freshCode,
  linkTo,
  liveSession,
  newAddress,
  note,
  send,
  signIn as signInWith
} from './way-back-people.ts'
import type { Person, Response, World } from './way-back-people.ts'

type Step = (world: World, who: Person) => Promise<unknown>

const withSession =
  (
    name: string,
    work: (
      world: World,
      who: Person,
      session: NonNullable<Awaited<ReturnType<typeof liveSession>>>
    ) => Promise<Response | undefined>
  ): Step =>
  async (world, who) => {
    const session = await sessionOf(world, who)
    const response = session && (await work(world, who, session))
    if (response) note(world, who, name, response)
  }

/** A session of this person, after a sign-in if that is possible and necessary. */
async function sessionOf(world: World, who: Person) {
  const session = await liveSession(world, who)
  if (session) return session
  await steps.signIn?.(world, who)
  await steps.signInWithPasskey?.(world, who)
  return liveSession(world, who)
}

/** A link of a mail that sets a new password. */
const withLink =
  (name: string, url: string, ...pages: string[]): Step =>
  async (world, who) => {
    const token = await linkTo(world, who, ...pages)
    if (token === undefined) return
    const body = { token, newPassword: choosePassword(who) }
    note(world, who, name, await send(world, '', 'POST', url, body))
  }

const revertAddress = withLink('revert the address', '/api/auth/email/revert', 'revert')
const revertFactors = withLink('revert the factors', '/api/auth/factors/revert', 'revert-factors')

export const recover: Step = async (world, who) => {
  // Who has moved the account asks at its new address as well.
  for (const email of who.mailboxes) {
    note(world, who, 'ask', await send(world, '', 'POST', '/api/auth/recovery', { email }))
  }
  await withLink('recover', '/api/auth/recovery/confirm', 'reset')(world, who)
}

/** The addresses at which this person may look for the account. */
const addressesOf = ({ address }: World, { mailboxes }: Person) => [
  ...new Set([address, ...mailboxes])
]

/** What anybody can do. Each is tried with what the person has. */
export const steps: Record<string, Step> = {
  async register(world, who) {
    const body = { email: world.address, password: choosePassword(who), name: 'Ada' }
    note(world, who, 'register', await send(world, '', 'POST', '/api/auth/register', body))
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
  async signIn(world, who) {
    for (const email of addressesOf(world, who)) {
      for (const password of who.passwords.slice(-2)) {
        const response = await signInWith(world, who, email, password)
        if (response.statusCode === 200) return note(world, who, 'sign in', response)
      }
    }
  },
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
  changePassword: withSession('change the password', (world, who, { cookie }) => {
    const currentPassword = who.passwords.at(-1) ?? ''
    const newPassword = choosePassword(who)
    return send(world, cookie, 'PUT', '/api/user/password', { currentPassword, newPassword })
  }),
  confirmAddress: withSession('confirm the address', async (world, who, { cookie }) => {
    await send(world, cookie, 'POST', '/api/user/email/verification')
    const token = await linkTo(world, who, 'confirm-email')
    return token === undefined
      ? undefined
      : send(world, cookie, 'POST', '/api/user/email/confirm', { token })
  }),
  changeAddress: withSession('change the address', async (world, who, { cookie }) => {
    const email = newAddress()
    const currentPassword = who.passwords.at(-1) ?? ''
    const asked = await send(world, cookie, 'PUT', '/api/user/email', { email, currentPassword })
    if (asked.statusCode >= 300) return asked
    who.mailboxes.push(email)
    const token = await linkTo(world, who, 'confirm-email')
    return send(world, cookie, 'POST', '/api/user/email/confirm', { token: token ?? '' })
  }),
  authenticateAgain: withSession('authenticate again', async (world, who, { cookie, user }) => {
    const secret = who.secrets.at(-1)
    const proof =
      secret === undefined
        ? { password: who.passwords.at(-1) ?? '' }
        : { code: await freshCode(world, user.email, secret) }
    const response = await send(world, cookie, 'POST', '/api/auth/reauthenticate', proof)
    return response
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
  deleteAccount: withSession('delete the account', (world, who, { cookie }) =>
    send(world, cookie, 'POST', '/api/user/deletion', { currentPassword: who.passwords.at(-1) })
  ),
  recover,
  revertAddress,
  revertFactors
}
