import { keyCaller } from '../support/keys.ts'
import { passkeySignIn } from '../support/passkeys.ts'
import { choosePassword, complete, note, send } from './way-back-people.ts'
import type { Person, Response, World } from './way-back-people.ts'
import { cookieSet } from '../support/second-factors.ts'
import { recover, steps } from './way-back-steps.ts'

// The way back that docs/understand/ways-back.md names, and what must be true after it.

/**
 * The owner uses the link of the oldest notice that they got, or else asks for a new password, or
 * else registers. Returns the password that counts from then on.
 */
export async function wayBack(world: World) {
  const { owner, inbox } = world
  const letters = await inbox.read(...owner.mailboxes)
  const urls = { revert: '/api/auth/email/revert', 'revert-factors': '/api/auth/factors/revert' }
  for (const { page, token } of letters) {
    const url = urls[page as keyof typeof urls]
    if (token === undefined || url === undefined) continue
    const newPassword = choosePassword(owner)
    const response = await send(world, '', 'POST', url, { token, newPassword })
    if (note(world, owner, `take back: ${page}`, response)) return newPassword
    if (response.json().code !== 'invalid-token') throw new Error(`${url}: ${response.body}`)
  }
  const before = world.done.get('owner: recover') ?? 0
  await recover(world, owner)
  if ((world.done.get('owner: recover') ?? 0) > before) return owner.passwords.at(-1) ?? ''
  await steps.register?.(world, owner)
  const password = owner.passwords.at(-1) ?? ''
  await steps.confirm?.(world, owner)
  return password
}

export interface Account {
  id: string
  email: string
}

/** The account that the owner gets into with this password. Throws when they are locked out. */
export async function ownAccount(world: World, password: string): Promise<Account> {
  const { owner } = world
  const answers: string[] = []
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
    const passkey = login.statusCode === 202 && (await byPasskey(world, owner, email))
    if (passkey) return passkey
    answers.push(`${login.statusCode} ${login.body}`)
  }
  throw new Error(`the owner is locked out: ${answers.join(', ')}`)
}

async function byPasskey({ app }: World, { passkeys }: Person, email: string) {
  for (const passkey of passkeys) {
    const response = await passkeySignIn(app, passkey)
    const user = response.statusCode === 200 ? (response.json().user as Account) : undefined
    if (user?.email === email) return user
  }
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
    isTheirs('a cookie', await send(world, cookie, 'GET', '/api/auth/me'))
  }
  for (const password of new Set(other.passwords)) {
    for (const email of new Set([account.email, ...owner.mailboxes])) {
      const login = await send(world, '', 'POST', '/api/auth/login', { email, password })
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
  for (const { token } of await world.inbox.read(...other.mailboxes)) {
    if (token !== undefined) await tryLink(world, token, isTheirs)
  }
}

async function tryLink(
  world: World,
  token: string,
  isTheirs: (what: string, response: Response) => void
) {
  const { other } = world
  const newPassword = 'a horse of somebody else'
  for (const url of ['recovery/confirm', 'email/revert', 'factors/revert']) {
    await send(world, '', 'POST', `/api/auth/${url}`, { token, newPassword })
  }
  for (const password of other.passwords.slice(-2)) {
    const body = { token, password }
    isTheirs('a link', await send(world, '', 'POST', '/api/auth/confirm', body))
  }
  const cookie = other.cookies.at(-1) ?? ''
  await send(world, cookie, 'POST', '/api/user/email/confirm', { token })
}
