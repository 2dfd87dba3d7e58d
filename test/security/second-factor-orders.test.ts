import fc from 'fast-check'
import t from 'tap'
import { requirePermission } from '../../src/domain/access/rights.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { updateRole } from '../../src/domain/access/roles.ts'
import { createEnrolmentLink } from '../../src/domain/accounts/enrolment-links.ts'
import { resetSecondFactor } from '../../src/domain/accounts/second-factor-reset.ts'
import { aRole, aUser, operator, password, testApp } from '../helpers.ts'
import { codeOf, cookieSet, forgetCodes, wrongOf } from '../second-factors.ts'

// Any order of what can happen to a user, a role of theirs and its requirement of a second factor.

const app = await testApp(t)
const { database, db } = app

/** What a session should prove: `proved` once a factor was proved in it. */
interface Session {
  cookie: string
  id: string
  proved: boolean
  alive: boolean
}

/** A user with a role, and what should be true of them. */
interface World {
  user: { id: string; email: string }
  role: string
  required: boolean
  /** Of the app for codes. */
  secret: string | undefined
  /** Whether a sign-in needs a code. */
  codeNeeded: boolean
  sessions: Session[]
}

const permission = 'users:read'
const send = (cookie: string, method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })

/** A code that was not used before. */
async function aCode({ user, secret = '' }: World) {
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

/** Whether changes of the factors take a proof of one. */
const isGuarded = ({ codeNeeded, required, secret }: World) =>
  codeNeeded || (required && secret !== undefined)

/** Each does something, and says how it should end. */
const steps = {
  async signIn(world: World) {
    const { email } = world.user
    const login = await send('', 'POST', '/api/auth/login', { email, password })
    expect(login.statusCode, world.codeNeeded ? 202 : 200)
    if (!world.codeNeeded) return begun(world, login, false)
    expect(cookieSet(login, 'session'), undefined)
    const pending = cookieSet(login, 'login') ?? ''
    const code = await aCode(world)
    const wrong = { code: wrongOf(code) }
    expect((await send(pending, 'POST', '/api/auth/login/verify', wrong)).statusCode, 401)
    const verified = await send(pending, 'POST', '/api/auth/login/verify', { code })
    expect(verified.statusCode, 200)
    begun(world, verified, true)
  },
  async enrol(world: World, session: Session) {
    const start = await send(session.cookie, 'POST', '/api/user/totp')
    const allowed = session.proved || !isGuarded(world)
    expect(start.statusCode, allowed ? 200 : 403)
    if (!allowed) return
    const { secret } = start.json() as { secret: string }
    const confirm = async (token?: string) =>
      send(session.cookie, 'POST', '/api/user/totp/confirm', {
        code: await codeOf(db, secret),
        token
      })
    let confirmed = await confirm()
    if (world.required && world.secret === undefined) {
      expect(confirmed.json().code, 'enrolment-token-required')
      const input = { userId: world.user.id, expiresIn: 60 }
      confirmed = await confirm((await createEnrolmentLink(db, operator, input)).token)
    }
    expect(confirmed.statusCode, 200)
    if (world.secret !== undefined) endOthers(world, session)
    session.cookie = cookieSet(confirmed, 'session') ?? ''
    session.proved = true
    world.secret = secret
    world.codeNeeded = true
  },
  async letPasswordSuffice(world: World, session: Session) {
    const answer = await send(session.cookie, 'PUT', '/api/user/second-factor', { required: false })
    const allowed = !world.codeNeeded || (session.proved && !world.required)
    expect(answer.statusCode < 300, allowed)
    if (allowed) world.codeNeeded = false
  },
  async remove(world: World, session: Session) {
    const answer = await send(session.cookie, 'DELETE', '/api/user/totp')
    const allowed =
      (session.proved || !isGuarded(world)) &&
      (world.secret === undefined || !(world.codeNeeded || world.required))
    expect(answer.statusCode < 300, allowed)
    if (!allowed || world.secret === undefined) return
    endOthers(world, session)
    world.secret = undefined
  },
  async provePassword(world: World, session: Session) {
    const answer = await send(session.cookie, 'POST', '/api/auth/reauthenticate', { password })
    if (answer.statusCode === 200) session.cookie = cookieSet(answer, 'session') ?? ''
    else expect(isGuarded(world), true)
  },
  async proveCode(world: World, session: Session) {
    const code = world.secret === undefined ? '123456' : await aCode(world)
    const url = '/api/auth/reauthenticate'
    expect((await send(session.cookie, 'POST', url, { code: wrongOf(code) })).statusCode, 403)
    const answer = await send(session.cookie, 'POST', url, { code })
    expect(answer.statusCode, world.secret === undefined ? 403 : 200)
    if (world.secret === undefined) return
    session.cookie = cookieSet(answer, 'session') ?? ''
    session.proved = true
  },
  async reset(world: World) {
    await resetSecondFactor(app.services, operator, { userId: world.user.id })
    if (world.secret !== undefined) endOthers(world)
    world.secret = undefined
    world.codeNeeded = false
  },
  async require(world: World) {
    await setRequired(world, true)
  },
  async lift(world: World) {
    await setRequired(world, false)
  }
}

async function setRequired(world: World, required: boolean) {
  const changes = { requiresSecondFactor: required }
  await updateRole(db, operator, { key: world.role, changes })
  world.required = required
}

/** The permission of the role is there if and only if the role counts in the session. */
async function check({ sessions, user, role, required }: World) {
  for (const { cookie, id, proved, alive } of sessions) {
    const counts = alive && (proved || !required)
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    expect(me.statusCode, alive ? 200 : 401)
    if (alive) {
      const { permissions, roles, suspendedRoles } = me.json().user
      expect(permissions.includes(permission), counts)
      expect([roles.includes(role), suspendedRoles.includes(role)], [counts, !counts])
      expect(me.json().session.assurance, proved ? 2 : 1)
    }
    const list = await app.inject({ url: '/api/admin/users?limit=1', headers: { cookie } })
    expect(list.statusCode, alive ? (counts ? 200 : 403) : 401)
    const actor = { type: 'user', source: 'api', id: user.id, sessionId: id } as const
    const inTransaction = await requirePermission(db, actor, permission).catch(() => undefined)
    expect(inTransaction !== undefined, counts)
  }
}

function expect(found: unknown, expected: unknown) {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}

const names = Object.keys(steps) as (keyof typeof steps)[]
const orders = fc.array(fc.record({ name: fc.constantFrom(...names), which: fc.nat({ max: 5 }) }), {
  minLength: 12,
  maxLength: 24
})

t.test(
  'in any order of changes, a role that requires a second factor counts only where one was proved',
  async (t) => {
    let checked = 0
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const user = await aUser(database)
        const role = await aRole(database, permission)
        await grantRole(db, operator, { userId: user.id, role })
        const world: World = {
          user,
          role,
          required: false,
          secret: undefined,
          codeNeeded: false,
          sessions: []
        }
        await steps.signIn(world)
        for (const { name, which } of order) {
          const alive = world.sessions.filter((session) => session.alive)
          const session = alive[which % alive.length]
          if (session) await steps[name](world, session)
          else await steps.signIn(world)
          await check(world)
          checked++
        }
      }),
      { numRuns: 6 }
    )
    t.ok(checked >= 60, `${checked} states`)
  }
)
