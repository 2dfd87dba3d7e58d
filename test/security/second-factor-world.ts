import type { FastifyInstance } from 'fastify'
import { updateRole } from '../../src/domain/access/roles.ts'
import { resetSecondFactor } from '../../src/domain/administration/factor-removal.ts'
import { createEnrolmentLink } from '../../src/domain/administration/operator-links.ts'
import { operator, password } from '../support/app.ts'
import type { SoftPasskey } from '../support/authenticator.ts'
import { passkeySignIn, provePasskey, tryToAdd } from '../support/passkeys.ts'
import { codeOf, cookieSet, forgetCodes, wrongOf } from '../support/second-factors.ts'

// Events of a user with a role that may require a second factor, and what is true after each.

/** A session, whose expected proof is `proved` once a factor was proved in it. */
interface Session {
  cookie: string
  id: string
  proved: boolean
  alive: boolean
}

/** A user with a role, and what should be true of them. */
export interface World {
  app: FastifyInstance
  user: { id: string; email: string }
  role: string
  required: boolean
  /** The secret of the authenticator app. */
  secret: string | undefined
  passkeys: { id: string; passkey: SoftPasskey }[]
  /** Whether the password alone is not enough to sign in. */
  factorNeeded: boolean
  sessions: Session[]
}

type Method = 'POST' | 'PUT' | 'DELETE'
const send = ({ app }: World, cookie: string, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })

/** A code that was not used before. */
async function aCode({ app: { db }, user, secret = '' }: World) {
  await forgetCodes(db, user.id)
  return codeOf(db, secret)
}

function begun(world: World, response: Awaited<ReturnType<typeof send>>, proved: boolean) {
  const { id } = response.json().session as { id: string }
  world.sessions.push({ cookie: cookieSet(response, 'session') ?? '', id, proved, alive: true })
}

const endOthers = ({ sessions }: World, except?: Session) => {
  for (const session of sessions) if (session !== except) session.alive = false
}

const hasFactor = ({ secret, passkeys }: World) => secret !== undefined || passkeys.length > 0
/** Whether changes of the factors take a proof of one. */
const isGuarded = (world: World) => world.factorNeeded || (world.required && hasFactor(world))

/** Repeats a request that sets up a factor with the token of a link, where it needs one. */
async function withToken(world: World, setUp: (token?: string) => ReturnType<typeof send>) {
  const answer = await setUp()
  if (!world.required || hasFactor(world)) return answer
  expect(answer.json().code, 'enrolment-token-required')
  const input = { userId: world.user.id, expiresIn: 60 }
  return setUp((await createEnrolmentLink(world.app.db, operator, input)).token)
}

function hasProved(session: Session, response: Awaited<ReturnType<typeof send>>) {
  session.cookie = cookieSet(response, 'session') ?? ''
  session.proved = true
}

/** The session of these helpers. */
const callerOf = ({ app }: World, { cookie }: Session): Parameters<typeof provePasskey>[0] => ({
  cookie,
  call: (method, url, payload, headers = {}) =>
    app.inject({ method, url, headers: { cookie, ...headers }, ...(payload && { payload }) })
})

/** Each does something, and says how it should end. */
export const steps = {
  async signIn(world: World) {
    const { email } = world.user
    const login = await send(world, '', 'POST', '/api/auth/login', { email, password })
    expect(login.statusCode, world.factorNeeded ? 202 : 200)
    if (!world.factorNeeded) return begun(world, login, false)
    expect(cookieSet(login, 'session'), undefined)
    if (world.secret === undefined) return
    const pending = cookieSet(login, 'login') ?? ''
    const code = await aCode(world)
    const wrong = { code: wrongOf(code) }
    expect((await send(world, pending, 'POST', '/api/auth/login/verify', wrong)).statusCode, 401)
    const verified = await send(world, pending, 'POST', '/api/auth/login/verify', { code })
    expect(verified.statusCode, 200)
    begun(world, verified, true)
  },
  async signInWithPasskey(world: World) {
    const [first] = world.passkeys
    if (!first) return
    const signedIn = await passkeySignIn(world.app, first.passkey)
    expect(signedIn.statusCode, 200)
    begun(world, signedIn, true)
  },
  async enrol(world: World, session: Session) {
    const start = await send(world, session.cookie, 'POST', '/api/user/totp')
    const allowed = session.proved || !isGuarded(world)
    expect(start.statusCode, allowed ? 200 : 403)
    if (!allowed) return
    const { secret } = start.json() as { secret: string }
    const code = await codeOf(world.app.db, secret)
    const confirmed = await withToken(world, (token) =>
      send(world, session.cookie, 'POST', '/api/user/totp/confirm', { code, token })
    )
    expect(confirmed.statusCode, 200)
    hasProved(session, confirmed)
    if (world.secret !== undefined || !hasFactor(world)) endOthers(world, session)
    world.secret = secret
    world.factorNeeded = true
  },
  async addPasskey(world: World, session: Session) {
    const caller = callerOf(world, session)
    const allowed = session.proved || !isGuarded(world)
    if (!allowed) {
      const options = await caller.call('POST', '/api/user/passkeys/options')
      return expect(options.statusCode, 403)
    }
    let added: Awaited<ReturnType<typeof tryToAdd>> | undefined
    const answer = await withToken(world, async (token) => {
      added = await tryToAdd(caller, {}, { token })
      return added.response
    })
    expect(answer.statusCode, 201)
    hasProved(session, answer)
    if (!hasFactor(world)) endOthers(world, session)
    if (added) world.passkeys.push({ id: answer.json().id, passkey: added.passkey })
  },
  async letPasswordSuffice(world: World, session: Session) {
    const answer = await send(world, session.cookie, 'PUT', '/api/user/second-factor', {
      required: false
    })
    const allowed = !world.factorNeeded || (session.proved && !world.required)
    expect(answer.statusCode < 300, allowed)
    if (allowed) world.factorNeeded = false
  },
  async needFactor(world: World, session: Session) {
    const answer = await send(world, session.cookie, 'PUT', '/api/user/second-factor', {
      required: true
    })
    const may = hasFactor(world) && (session.proved || !isGuarded(world))
    const allowed = world.factorNeeded || may
    expect(answer.statusCode < 300, allowed)
    if (allowed) world.factorNeeded = true
  },
  async removeApp(world: World, session: Session) {
    const answer = await send(world, session.cookie, 'DELETE', '/api/user/totp')
    const after = { ...world, secret: undefined }
    const allowed = mayRemove(world, after, session)
    expect(answer.statusCode < 300, allowed)
    if (!allowed || world.secret === undefined) return
    endOthers(world, session)
    world.secret = undefined
    session.proved &&= hasFactor(world)
  },
  async removePasskey(world: World, session: Session) {
    const [first, ...others] = world.passkeys
    if (!first) return
    const answer = await send(world, session.cookie, 'DELETE', `/api/user/passkeys/${first.id}`)
    const allowed = mayRemove(world, { ...world, passkeys: others }, session)
    expect(answer.statusCode < 300, allowed)
    if (!allowed) return
    endOthers(world, session)
    world.passkeys = others
    session.proved &&= hasFactor(world)
  },
  async provePassword(world: World, session: Session) {
    const answer = await send(world, session.cookie, 'POST', '/api/auth/reauthenticate', {
      password
    })
    // It would make an old authentication with two factors look recent.
    const renewsTwo = session.proved && hasFactor(world)
    const allowed = !isGuarded(world) && !renewsTwo
    expect(answer.statusCode, allowed ? 200 : 403)
    if (allowed) session.cookie = cookieSet(answer, 'session') ?? ''
  },
  async proveCode(world: World, session: Session) {
    const code = world.secret === undefined ? '123456' : await aCode(world)
    const url = '/api/auth/reauthenticate'
    expect(
      (await send(world, session.cookie, 'POST', url, { code: wrongOf(code) })).statusCode,
      403
    )
    const answer = await send(world, session.cookie, 'POST', url, { code })
    expect(answer.statusCode, world.secret === undefined ? 403 : 200)
    if (world.secret !== undefined) hasProved(session, answer)
  },
  async provePasskey(world: World, session: Session) {
    const [first] = world.passkeys
    if (!first) return
    const answer = await provePasskey(callerOf(world, session), first.passkey)
    expect(answer.statusCode, 200)
    hasProved(session, answer)
  },
  async reset(world: World) {
    await resetSecondFactor(world.app.context, operator, { userId: world.user.id })
    if (hasFactor(world)) endOthers(world)
    world.secret = undefined
    world.passkeys = []
    world.factorNeeded = false
  },
  async require(world: World) {
    await setRequired(world, true)
  },
  async lift(world: World) {
    await setRequired(world, false)
  }
}

/** Nothing is removed without a proof, and not the last factor where one is needed. */
const mayRemove = (before: World, after: World, { proved }: Session) =>
  (proved || !isGuarded(before)) &&
  (!hasFactor(before) || hasFactor(after) || !(before.factorNeeded || before.required))

async function setRequired(world: World, required: boolean) {
  const changes = { requiresSecondFactor: required }
  await updateRole(world.app.db, operator, { key: world.role, changes })
  world.required = required
}

export function expect(found: unknown, expected: unknown) {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}
