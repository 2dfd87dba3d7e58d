import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { revokeRole } from '../../src/domain/access/memberships.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { systemPermissionKeys, systemRoles } from '../../src/domain/permissions.ts'
import { aCaller, aRole, operator, ownApp } from '../support/app.ts'
import { testConsole } from '../support/console.ts'
import { aService, aServiceKey } from '../support/keys.ts'

interface Operation {
  'x-access': string
  parameters?: { name: string; in: string; schema: { examples?: string[] } }[]
  requestBody?: object
}

const app = await ownApp(t)

/**
 * A request for each operation that passes its gate only: it names unknown ids and has a property
 * that no body has.
 */
function requestsOf(app: FastifyInstance) {
  const { paths } = app.swagger() as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      access: operation['x-access'],
      method: method.toUpperCase() as 'GET',
      url: path.replace(
        /\{(\w+)\}/g,
        (_, name) =>
          operation.parameters?.find((each) => each.in === 'path' && each.name === name)?.schema
            .examples?.[0] ?? (name === 'scope' ? 'org:missing' : 'missing')
      ),
      ...(operation.requestBody && { payload: { unknown: true } })
    }))
  )
}
const requests = requestsOf(app)
const ofKeys = (access: string) => /^key( |$)/.test(access)
const isOpen = (access: string) => access === 'public' || access === 'optional'
const gated = requests.filter(({ access }) => !isOpen(access))

type Verdict = 'admitted' | 'unauthenticated' | 'permission-denied'

async function verdict(
  request: (typeof requests)[number],
  cookie: string | undefined,
  authorization?: string
): Promise<Verdict> {
  const { method, url, payload, access } = request
  const response = await app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) }
  })
  if (response.statusCode === 401 || response.statusCode === 403) return response.json().code
  // In a scope without a role, a missing permission looks like an unknown scope.
  const isInScope = url.startsWith('/api/scopes/') && access !== 'session'
  const isHidden = isInScope && response.body.includes('"scope-not-found"')
  return isHidden ? 'permission-denied' : 'admitted'
}

/** The access that the document declares for a user with these permissions. */
const published = (access: string, permissions: readonly string[]): Verdict =>
  ofKeys(access)
    ? 'unauthenticated'
    : access === 'session' || permissions.includes(access)
      ? 'admitted'
      : 'permission-denied'

const expectAll = async (
  t: Tap,
  cookie: string | undefined,
  expected: (access: string) => Verdict
) => {
  const found = []
  for (const request of gated) found.push(`${request.name}: ${await verdict(request, cookie)}`)
  t.same(
    found,
    gated.map(({ name, access }) => `${name}: ${expected(access)}`)
  )
}
type Tap = Pick<typeof t, 'same'>

t.test('the document has operations to test', async (t) => {
  t.ok(gated.length > 35)
  t.same(
    new Set(
      gated
        .map(({ access }) => access)
        .filter(
          (access) =>
            access !== 'session' &&
            !ofKeys(access) &&
            !systemPermissionKeys.some((key) => key === access)
        )
    ),
    new Set()
  )
})

t.test('callers without a session are admitted to public operations only', async (t) => {
  await expectAll(t, undefined, () => 'unauthenticated')
  for (const request of requests.filter(({ access }) => isOpen(access))) {
    t.not(await verdict(request, undefined), 'unauthenticated', request.name)
  }
})

t.test('the role user is admitted exactly where the document says', async (t) => {
  const { cookie } = await aCaller(app)
  await expectAll(t, cookie, (access) => published(access, systemRoles.user.permissions))
})

t.test('the role admin is admitted everywhere', async (t) => {
  const { cookie } = await aCaller(app, 'admin')
  await expectAll(t, cookie, (access) => published(access, systemPermissionKeys))
})

/** A session of a user with exactly these permissions. */
async function aCookie(permissions: string[]) {
  const { user, cookie } = await aCaller(app, await aRole(app.database, ...permissions))
  await revokeRole(app.db, operator, { userId: user.id, role: 'user' })
  return cookie
}

for (const permission of systemPermissionKeys) {
  t.test(`${permission} opens its operations, and no other permission does`, async (t) => {
    const alone = await aCookie([permission])
    const others = await aCookie(systemPermissionKeys.filter((key) => key !== permission))
    const found = []
    const own = gated.filter(({ access }) => access === permission)
    for (const request of own) {
      found.push([request.name, await verdict(request, alone), await verdict(request, others)])
    }
    t.same(
      found,
      own.map(({ name }) => [name, 'admitted', 'permission-denied'])
    )
  })
}

t.test(
  'a key of a service that may do everything is admitted to routes for keys only',
  async (t) => {
    const service = await aService(app.database, 'admin')
    const { secret } = await aServiceKey(app.database, service)
    const check = 'GET /api/auth/check'
    for (const [query, also] of [
      ['', ''],
      ['?accept=key', check]
    ] as const) {
      const found = []
      for (const { url, ...request } of gated) {
        const asked = { ...request, url: `${url}${query}` }
        found.push(`${request.name}: ${await verdict(asked, undefined, `Bearer ${secret}`)}`)
      }
      t.same(
        found,
        gated.map(({ name, access }) => {
          const admitted = ofKeys(access) || name === also
          return `${name}: ${admitted ? 'admitted' : 'unauthenticated'}`
        })
      )
    }
    t.ok(gated.some(({ access }) => ofKeys(access)))
    t.ok(gated.some(({ name }) => name === check))
  }
)

t.test('a deactivated user is admitted nowhere', async (t) => {
  const { user, cookie } = await aCaller(app, 'admin')
  await updateUser(app.context, operator, { id: user.id, changes: { status: 'deactivated' } })
  await expectAll(t, cookie, () => 'unauthenticated')
})

t.test('a revoked session is admitted nowhere', async (t) => {
  const { call, cookie } = await aCaller(app, 'admin')
  await call('POST', '/api/auth/logout')
  await expectAll(t, cookie, () => 'unauthenticated')
})

/** These change nothing, although they are no reads. */
const harmless = [
  'POST /api/console/session',
  'DELETE /api/console/session',
  'POST /api/admin/flags/evaluate',
  'POST /api/admin/providers/{key}/check'
]

const codeOf = ({ statusCode, json }: Awaited<ReturnType<FastifyInstance['inject']>>) =>
  statusCode >= 400 ? json<{ code: string }>().code : 'admitted'

for (const canWrite of [false, true]) {
  const name = canWrite ? 'with --write' : 'that only reads'
  t.test(`a console ${name} admits its operator only, to what it should`, async (t) => {
    const { app: console, call, send } = await testConsole(t, { canWrite })
    const all = requestsOf(console)
    t.ok(all.length > 35)
    const found = []
    for (const { name, access, method, url, payload } of all) {
      const stranger = await send(method, url, payload)
      const own = await call(method, url, payload)
      const code = codeOf(own)
      found.push([
        name,
        access === 'public' || codeOf(stranger),
        /^(console-ended|read-only|permission-denied|cross-site)$/.test(code) ? code : 'admitted'
      ])
    }
    t.same(
      found,
      all.map(({ name, access }) => {
        const isChange = !name.startsWith('GET ') && !harmless.includes(name)
        return [
          name,
          access === 'public' || 'console-ended',
          isChange && !canWrite ? 'read-only' : 'admitted'
        ]
      })
    )
  })
}
