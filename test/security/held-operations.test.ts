import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { rolePermissions } from '../../db/schema/roles.ts'
import { createPasskey } from '../support/authenticator.ts'
import { aFlag } from '../support/flags.ts'
import { actorOf } from '../support/actors.ts'
import { aCaller, aUser, cookieOf, ownApp } from '../support/app.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import type { Document } from '../openapi/requests.ts'
import { valid } from '../openapi/values.ts'
import { creationOptions } from '../support/passkeys.ts'
import { holdBody, portOf } from '../support/raw-requests.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { publicUrl } from '../support/webhooks.ts'
import { aUserWithApp, forgetCodes } from '../support/second-factors.ts'

// Every change that a signed-in user can ask for: what came with a request is what it may use.

const endless = { burst: 900_000, seconds: 0.001 }
const settingsSchemas = settingsOf(t, schemaFile)
const app = await ownApp(t, { THROTTLE_WRITES: endless, settingsSchemas })
await app.listen({ port: 0, host: '127.0.0.1' })
const { paths, components } = (await app.inject('/openapi.json')).json() as Document

/** A value that matches a schema, the same in every run. */
const sampleOf = (...schema: Parameters<typeof valid>) =>
  fc.sample(valid(...schema), { numRuns: 1, seed: 1 })[0]

const { user, cookie, call, code } = await aUserWithApp(app, 'admin')
const other = await aUser(app.database)
const { sessionId } = await actorOf(app.database, other)
const { id: keyId } = await aServiceKey(app.database, await aService(app.database))
const { credential } = createPasskey(await creationOptions({ call, cookie }))

/** Where the portal judges more than the schema says, before it reads the session. */
const special: Record<string, { url?: string; body?: object }> = {
  'POST /api/auth/reauthenticate': { body: { code: '000000' } },
  'PUT /api/user/settings': { body: { columns: [] } },
  'PUT /api/admin/users/{id}/settings': { body: { columns: [] } },
  'PATCH /api/user/profile': { body: { bio: 'Mathematician' } },
  'POST /api/user/passkeys': { body: { credential } },
  'POST /api/admin/flags': { body: aFlag() },
  'POST /api/admin/segments': { body: { key: 'pilots', when: { users: ['ann'] } } },
  'PATCH /api/admin/segments/{key}': { body: { description: 'Pilots' } },
  'POST /api/admin/webhooks': { body: { url: publicUrl, events: ['user.*'] } },
  'PATCH /api/admin/webhooks/{id}': { body: { events: ['user.*'] } },
  'POST /api/admin/webhooks/{id}/resend': { body: { since: '2026-01-31T09:30:00Z' } },
  'POST /api/admin/roles': { body: { key: 'crew', name: 'Crew' } },
  'POST /api/admin/users': { body: { email: 'new@example.com', name: 'Ada' } },
  'PATCH /api/admin/users/{id}': { body: { name: 'Ada' } },
  'DELETE /api/admin/keys/{id}': { url: `/api/admin/keys/${keyId}` },
  'DELETE /api/admin/sessions': { url: `/api/admin/sessions?userId=${other.id}` },
  'DELETE /api/admin/sessions/{id}': { url: `/api/admin/sessions/${sessionId}` }
}
/** These change nothing here, and say so before they read the session. */
const harmless = [
  'POST /api/user/email/verification',
  'POST /api/user/security/enrolment',
  'POST /api/admin/flags/evaluate',
  'POST /api/admin/providers/{key}/check'
]

/** Access for everybody, or for API keys, which cannot authenticate again. */
const isOpen = (access: string) => /^(public|optional|key\b.*)$/.test(access)
const changes = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method, { 'x-access': access }]) => method !== 'get' && !isOpen(access))
    .map(([method, { parameters = [], requestBody, 'x-access': access }]) => {
      const name = `${method.toUpperCase()} ${path}`
      const { schema } = Object.values(requestBody?.content ?? {})[0] ?? {}
      const url = path.replace(/\{(\w+)\}/g, (_, each) => {
        const parameter = parameters.find((parameter) => parameter.name === each)
        const value = sampleOf(parameter?.schema ?? {}, components.schemas, each)
        return encodeURIComponent(String(value))
      })
      const body = (schema ? sampleOf(schema, components.schemas) : {}) as object
      return { name, access, method: method.toUpperCase(), url, body, ...special[name] }
    })
)

t.test('a change whose body comes after a new authentication is rejected', async (t) => {
  t.ok(changes.length > 40)
  const waiting = changes.filter(({ name }) => !harmless.includes(name))
  // A few at a time: the server does not wait for a body for long.
  const batch = 15
  for (let first = 0, current = cookie; first < waiting.length; first += batch) {
    const held = await Promise.all(
      waiting.slice(first, first + batch).map(async ({ name, access, ...request }) => ({
        name,
        ...(await holdBody(portOf(app), { ...request, cookie: current }))
      }))
    )
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie: current } })
    t.equal(me.statusCode, 200, 'they were admitted')
    await forgetCodes(app.db, user.id)
    const again = await app.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      headers: { cookie: current },
      payload: { code: await code() }
    })
    t.not(cookieOf(again), current)
    current = cookieOf(again)

    const records = await app.db.$count(activity)
    const found = []
    for (const { name, finish } of held) found.push(`${name}: ${(await finish()).status}`)
    t.same(
      found,
      held.map(({ name }) => `${name}: 401`)
    )
    t.equal(await app.db.$count(activity), records)
  }
})

/** In a scope without a role, the permission cannot be told from the scope. */
const codeFor = (name: string) =>
  name.includes('/api/scopes/') ? 'scope-not-found' : 'permission-denied'

t.test('a change needs the permission that its route names', async (t) => {
  // The route and the domain each name it: only the domain can refuse what was admitted.
  const admin = await aCaller(app, 'admin')
  const named = changes.filter(
    ({ name, access }) => access !== 'session' && !harmless.includes(name)
  )
  t.ok(named.length > 20)
  const found = []
  for (const permission of new Set(named.map(({ access }) => access))) {
    const held = await Promise.all(
      named
        .filter(({ access }) => access === permission)
        .map(async ({ name, access, ...request }) => ({
          name,
          ...(await holdBody(portOf(app), { ...request, cookie: admin.cookie }))
        }))
    )
    const ofPermission = eq(rolePermissions.permissionKey, permission)
    const lost = await app.db.delete(rolePermissions).where(ofPermission).returning()
    for (const { name, finish } of held) {
      found.push(`${name}: ${JSON.parse((await finish()).body).code}`)
    }
    await app.db.insert(rolePermissions).values(lost)
  }
  t.same(found.sort(), named.map(({ name }) => `${name}: ${codeFor(name)}`).sort())
})
