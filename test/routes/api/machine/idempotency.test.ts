import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { idempotencyKeys } from '../../../../db/schema/idempotency.ts'
import { users } from '../../../../db/schema/users.ts'
import { createUser, deleteUser } from '../../../../src/domain/administration/users.ts'
import { createServiceKey } from '../../../../src/domain/services/key-creation.ts'
import { revokeServiceRole } from '../../../../src/domain/services/services.ts'
import {
  activityOf,
  aCaller,
  aRole,
  aUser,
  freshEmail,
  operator,
  ownApp
} from '../../../support/app.ts'
import { aMachine } from '../../../support/keys.ts'
import { mailsOf } from '../../../support/mails.ts'
import { userPermissions } from '../../../support/permissions.ts'

const app = await ownApp(t, { MACHINE_ADMIN: 'on' })
const url = '/api/machine/users'
const aCreator = () => aMachine(app, ...userPermissions, 'users:create', 'users:update')
const withKey = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const countOf = (email: string) => app.db.$count(users, eq(users.email, email))

t.test(
  'the same request with the same key gets the same response and changes nothing',
  async (t) => {
    const machine = await aCreator()
    const headers = withKey()
    const body = { email: freshEmail(), name: 'Ada', link: 'invitation' }
    const made = await machine.call('POST', url, body, headers)
    t.equal(made.statusCode, 201, made.body)
    await machine.call('PATCH', `${url}/${made.json().id}`, { name: 'Ada King' })
    const again = await machine.call('POST', url, body, headers)
    const shown = ({ statusCode, headers, body }: typeof made) => ({
      ...{ statusCode, body },
      ...{ location: headers.location, etag: headers.etag }
    })
    t.same(shown(again), shown(made))
    t.equal(await countOf(body.email), 1)
    t.same(await mailsOf(app).kindsTo(body.email), ['invitation'])
    const records = await activityOf(app.database, made.json().id)
    t.equal(records.filter(({ action }) => action === 'user.create').length, 1)

    const other = await machine.call('POST', url, body, withKey())
    t.match(other.json(), { code: 'email-taken' }, 'another key is another request')
    const without = await machine.call('POST', url, body)
    t.match(without.json(), { code: 'email-taken' })
  }
)

t.test('a link is mailed once for each key', async (t) => {
  const machine = await aCreator()
  const { id, email } = await aUser(app.database)
  const headers = withKey()
  const send = () => machine.call('POST', `${url}/${id}/link`, { kind: 'recovery' }, headers)
  const [one, two] = [await send(), await send()]
  t.same([one.statusCode, two.statusCode], [202, 202])
  t.equal(two.body, one.body)
  t.same(await mailsOf(app).kindsTo(email), ['recovery'])
})

t.test('the same key with another request is refused', async (t) => {
  const machine = await aCreator()
  const headers = withKey()
  const made = await machine.call('POST', url, { email: freshEmail(), name: 'Ada' }, headers)
  t.equal(made.statusCode, 201)
  const email = freshEmail()
  const other = await machine.call('POST', url, { email, name: 'Ada' }, headers)
  t.equal(other.statusCode, 422)
  t.match(other.json(), { code: 'idempotency-key-reused' })
  t.equal(await countOf(email), 0)
  const link = `${url}/${made.json().id}/link`
  t.equal((await machine.call('POST', link, { kind: 'recovery' }, headers)).statusCode, 422)
})

t.test('a key belongs to the service, and all of its API keys share it', async (t) => {
  const [machine, stranger] = [await aCreator(), await aCreator()]
  const headers = withKey()
  const body = { email: freshEmail(), name: 'Ada' }
  const made = await machine.call('POST', url, body, headers)
  const next = await createServiceKey(app.db, operator, {
    ...{ service: machine.service.key, name: 'Next' }
  })
  const again = await app.inject({
    ...{ method: 'POST', url, payload: body },
    headers: { authorization: `Bearer ${next.secret}`, ...headers }
  })
  t.equal(again.body, made.body)
  const foreign = await stranger.call('POST', url, body, headers)
  t.match(foreign.json(), { code: 'email-taken' })
})

t.test('of many requests with one key at a time, one makes the change', async (t) => {
  const machine = await aCreator()
  const headers = withKey()
  const body = { email: freshEmail(), name: 'Ada' }
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => machine.call('POST', url, body, headers))
  )
  t.same(new Set(responses.map(({ statusCode }) => statusCode)), new Set([201]))
  t.equal(new Set(responses.map((each) => each.body)).size, 1)
  t.equal(await countOf(body.email), 1)
})

t.test('a refused request leaves its key unused', async (t) => {
  const machine = await aCreator()
  const taken = await aUser(app.database)
  const headers = withKey()
  const body = { email: taken.email, name: 'Ada' }
  t.equal((await machine.call('POST', url, body, headers)).statusCode, 409)
  await deleteUser({ db: app.db, mail: undefined }, operator, { id: taken.id })
  t.equal((await machine.call('POST', url, body, headers)).statusCode, 201)
})

t.test('the response is not repeated to a service that has lost the permission', async (t) => {
  const machine = await aCreator()
  const headers = withKey()
  const body = { email: freshEmail(), name: 'Ada' }
  t.equal((await machine.call('POST', url, body, headers)).statusCode, 201)
  await revokeServiceRole(app.db, operator, { service: machine.service.key, role: machine.role })
  const again = await machine.call('POST', url, body, headers)
  t.match(again.json(), { code: 'permission-denied' })
})

t.test('a service that loses the permission once admitted gets no repeated response', async (t) => {
  const { service, role, keyId } = await aCreator()
  const once = { key: randomUUID(), request: 'a request' }
  const actor = { type: 'service', source: 'api', id: service.id, keyId, once } as const
  const body = { email: freshEmail(), name: 'Ada' }
  const { id } = await createUser(app.context, actor, body)
  t.match(await createUser(app.context, actor, body), { id })
  await revokeServiceRole(app.db, operator, { service: service.key, role })
  await t.rejects(createUser(app.context, actor, body), { code: 'permission-denied' })
})

t.test(
  'nothing of a deleted user is kept, and the request does not create them again',
  async (t) => {
    const machine = await aCreator()
    const headers = withKey()
    const body = { email: freshEmail(), name: 'Ada' }
    const { id } = (await machine.call('POST', url, body, headers)).json()
    const kept = async () =>
      app.db.$count(idempotencyKeys, sql`${idempotencyKeys.result}::text like ${`%${body.email}%`}`)
    t.equal(await kept(), 1)
    await deleteUser({ db: app.db, mail: undefined }, operator, { id })
    t.equal(await kept(), 0)
    const again = await machine.call('POST', url, body, headers)
    t.equal(again.statusCode, 404)
    t.match(again.json(), { code: 'user-not-found' })
    t.equal(await countOf(body.email), 0)
  }
)

t.test('for a day a key gets the same response, and then it is a new one', async (t) => {
  const machine = await aCreator()
  const headers = withKey()
  const body = { email: freshEmail(), name: 'Ada' }
  const made = await machine.call('POST', url, body, headers)
  const age = (hours: number) =>
    app.db
      .update(idempotencyKeys)
      .set({ createdAt: sql`now() - make_interval(hours => ${hours})` })
      .where(sql`${idempotencyKeys.result}->>'id' = ${made.json().id}`)
  await age(23)
  t.equal((await machine.call('POST', url, body, headers)).body, made.body)
  await age(25)
  const next = { email: freshEmail(), name: 'Bob' }
  const other = await machine.call('POST', url, next, headers)
  t.equal(other.statusCode, 201)
  t.not(other.json().id, made.json().id)
  t.equal((await machine.call('POST', url, next, headers)).body, other.body, 'for another day')
})

t.test('a malformed key is named, and people with a session have none', async (t) => {
  const machine = await aCreator()
  const body = { email: freshEmail(), name: 'Ada' }
  const refused = await machine.call('POST', url, body, withKey('x'.repeat(256)))
  t.match(refused.json().errors, [{ pointer: '/header/idempotency-key' }])
  const { call } = await aCaller(app, await aRole(app.database, 'users:create'))
  const headers = withKey()
  t.equal((await call('POST', '/api/admin/users', body, headers)).statusCode, 201)
  t.equal((await call('POST', '/api/admin/users', body, headers)).statusCode, 409)
})
