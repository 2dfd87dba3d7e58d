import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { createFlag, updateFlag } from '../../src/domain/flags/flags.ts'
import { createSegment } from '../../src/domain/flags/segments.ts'
import { revokeUserSessions } from '../../src/domain/sessions/revocation.ts'
import {
  aCaller,
  aRole,
  aUser,
  cookieOf,
  onPglite,
  operator,
  ownApp,
  password,
  signedIn,
  testDatabaseUrl
} from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { anAppFor } from '../support/second-factors.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { testConfig } from '../support/test-config.ts'

// After a change is acknowledged by one server or a command, the other one is called at once;
// 10,000 times with `npm run check -- freshness`.
const rounds = Number(process.env.FRESHNESS_ROUNDS ?? 40)

const endless = { burst: 900_000, seconds: 0.001 }
const changes = {
  SECRET_KEYS: testConfig().SECRET_KEYS,
  settingsSchemas: settingsOf(t, schemaFile),
  THROTTLE_LOGIN_PAIR: endless,
  THROTTLE_LOGIN_SOURCE: endless,
  THROTTLE_LOGIN_ACCOUNT: endless,
  THROTTLE_PASSWORD: endless,
  THROTTLE_SECOND_FACTOR: endless,
  THROTTLE_WRITES: endless
}
const url = await testDatabaseUrl(t)
const one = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
// PGlite allows one process only, so there it is the same server.
const two = onPglite ? one : await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const command = onPglite ? one.database : await openDatabase(url, { poolMax: 2 })
t.teardown(() => command.close())

const admin = await aCaller(one, 'admin')
const reader = await aRole(one.database, 'users:read')
const user = await aUser(one.database)
await grantRole(one.db, operator, { userId: user.id, role: reader })
const isPro = { appSettings: [{ name: 'plan', op: 'in' as const, values: ['pro'] }] }
const pilots = { segmentsAny: ['pilots'] }
await createSegment(one.db, operator, { key: 'pilots', when: { users: ['ann'] } })
for (const flag of [
  { key: 'switch', defaultVariant: 'on', public: true },
  { key: 'pilots-only', public: true, rules: [{ when: pilots, serve: { variant: 'on' } }] },
  { key: 'pro-only', defaultVariant: 'off', rules: [{ when: isPro, serve: { variant: 'on' } }] }
]) {
  await createFlag(one.db, operator, { ...onOrOff, ...flag })
}
// Their sign-ins do not need it.
const phone = await anAppFor(one, user, { secondFactor: false })
const reauthenticate = '/api/auth/reauthenticate'
let secret = password

const login = () => signedIn(one, user.email, {}, secret)
const call =
  (on: FastifyInstance, cookie: string) =>
  (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    on.inject({ method, url: path, headers: { cookie }, ...(payload && { payload }) })
const me = async (cookie: string) => (await call(two, cookie)('GET', '/api/auth/me')).statusCode
const assurance = async (cookie: string) =>
  (await call(two, cookie)('GET', '/api/auth/me')).json().session.assurance as number
const mayRead = async (cookie: string) =>
  (await call(two, cookie)('GET', '/api/admin/users?limit=1')).statusCode
const flag = async () =>
  (await two.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags/switch', payload: {} })).json()
    .value as boolean
const sessionOf = async (cookie: string) =>
  (await call(one, cookie)('GET', '/api/auth/me')).json().session.id as string

/**
 * Each creates a state that the second server has cached, changes it, and returns its expected and
 * actual response.
 */
const kinds: Record<string, () => Promise<[expected: unknown, found: unknown]>> = {
  logout: () => ended((cookie) => call(one, cookie)('POST', '/api/auth/logout')),
  'a session revoked by its user': () =>
    ended(async (cookie) =>
      call(one, await login())('DELETE', `/api/user/sessions/${await sessionOf(cookie)}`)
    ),
  'all other sessions revoked by their user': () =>
    ended(async () => call(one, await login())('DELETE', '/api/user/sessions')),
  'a session revoked by an administrator': () =>
    ended(async (cookie) => admin.call('DELETE', `/api/admin/sessions/${await sessionOf(cookie)}`)),
  'sessions revoked by a command': () =>
    ended(() => revokeUserSessions(command.db, operator, { userId: user.id })),
  'a login in its place': () =>
    ended(async (cookie) => signedIn(one, user.email, { cookie }, secret)),
  'a new password': () =>
    ended(async () => {
      const next = secret === password ? 'another horse battery' : password
      const changed = await call(one, await login())('PUT', '/api/user/password', {
        currentPassword: secret,
        newPassword: next
      })
      if (changed.statusCode !== 204) throw new Error(changed.body)
      secret = next
    }),
  'the password proved again': () =>
    ended(async (cookie) => {
      const proved = await call(one, cookie)('POST', reauthenticate, { password: secret })
      if (proved.statusCode !== 200) throw new Error(proved.body)
    }),
  'a second factor proved': async () => {
    const cookie = await login()
    const before = await assurance(cookie)
    const code = await phone.code()
    const proved = cookieOf(await call(one, cookie)('POST', reauthenticate, { code }))
    return [
      [1, 2, 401],
      [before, await assurance(proved), await me(cookie)]
    ]
  },
  'a deactivation': () =>
    ended(
      async () => admin.call('PATCH', `/api/admin/users/${user.id}`, { status: 'deactivated' }),
      reactivate
    ),
  'a deactivation by a command': () =>
    ended(
      () =>
        updateUser({ db: command.db, mail: undefined }, operator, {
          id: user.id,
          changes: { status: 'deactivated' }
        }),
      reactivate
    ),
  'a role taken and given': () =>
    taken(
      () => admin.call('DELETE', `/api/admin/users/${user.id}/roles/${reader}`),
      () => admin.call('PUT', `/api/admin/users/${user.id}/roles/${reader}`)
    ),
  'a role taken and given by a command': () =>
    taken(
      () => revokeRole(command.db, operator, { userId: user.id, role: reader }),
      () => grantRole(command.db, operator, { userId: user.id, role: reader })
    ),
  'a permission taken and given': () =>
    taken(
      () => admin.call('DELETE', `/api/admin/roles/${reader}/permissions/users:read`),
      () => admin.call('PUT', `/api/admin/roles/${reader}/permissions/users:read`)
    ),
  'a permission taken and given by a command': () =>
    taken(
      () => revokePermission(command.db, operator, { role: reader, permission: 'users:read' }),
      () => grantPermission(command.db, operator, { role: reader, permission: 'users:read' })
    ),
  'a new name': async () => {
    const cookie = await login()
    await me(cookie)
    const name = `Name ${Math.floor(performance.now() * 1000)}`
    await call(one, cookie)('PUT', '/api/user/name', { name })
    return [name, (await call(two, cookie)('GET', '/api/auth/me')).json().user.name]
  },
  'app settings changed': async () => {
    const evaluate = call(two, await login())
    const set = async (plan: 'free' | 'pro') => {
      await admin.call('PATCH', `/api/admin/users/${user.id}/app-settings`, { plan })
      return (await evaluate('POST', '/ofrep/v1/evaluate/flags/pro-only', {})).json().value
    }
    return [
      [false, true],
      [await set('free'), await set('pro')]
    ]
  },
  'a segment changed': async () => {
    const set = async (user: string) => {
      await admin.call('PATCH', '/api/admin/segments/pilots', { when: { users: [user] } })
      const payload = { context: { targetingKey: 'ann' } }
      const url = '/ofrep/v1/evaluate/flags/pilots-only'
      return (await two.inject({ method: 'POST', url, payload })).json().value
    }
    return [
      [false, true],
      [await set('bob'), await set('ann')]
    ]
  },
  'a flag switched': () =>
    switched((state) => admin.call('PATCH', '/api/admin/flags/switch', { state })),
  'a flag switched by a command': () =>
    switched((state) => updateFlag(command.db, operator, { key: 'switch', changes: { state } }))
}

const reactivate = () =>
  updateUser({ db: one.db, mail: undefined }, operator, {
    id: user.id,
    changes: { status: 'active' }
  })

async function ended(
  end: (cookie: string) => Promise<unknown>,
  restore?: () => Promise<unknown>
): Promise<[unknown, unknown]> {
  const cookie = await login()
  const before = await me(cookie)
  await end(cookie)
  const after = await me(cookie)
  await restore?.()
  return [
    [200, 401],
    [before, after]
  ]
}
async function taken(
  take: () => Promise<unknown>,
  give: () => Promise<unknown>
): Promise<[unknown, unknown]> {
  const cookie = await login()
  const before = await mayRead(cookie)
  await take()
  const without = await mayRead(cookie)
  await give()
  return [
    [200, 403, 200],
    [before, without, await mayRead(cookie)]
  ]
}
async function switched(
  turn: (state: 'enabled' | 'disabled') => Promise<unknown>
): Promise<[unknown, unknown]> {
  const before = await flag()
  await turn('disabled')
  const off = await flag()
  await turn('enabled')
  return [
    [true, false, true],
    [before, off, await flag()]
  ]
}

t.test(
  `${rounds} changes of ${Object.keys(kinds).length} kinds are visible on the other server at once: no stale response`,
  async (t) => {
    const old: string[] = []
    const names = Object.keys(kinds)
    for (let round = 0; round < rounds; round++) {
      const name = names[round % names.length] ?? ''
      const [expected, found] = (await kinds[name]?.()) ?? []
      if (JSON.stringify(expected) !== JSON.stringify(found)) {
        old.push(`${name}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`)
      }
    }
    t.same(old, [])
  }
)
