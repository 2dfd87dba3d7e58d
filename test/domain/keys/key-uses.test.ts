import { and, asc, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { activity } from '../../../db/schema/activity.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import type { KeyCaller } from '../../../src/domain/keys/key-cache.ts'
import { createKeyUses } from '../../../src/domain/keys/key-uses.ts'
import { revokeKey } from '../../../src/domain/services/key-revocation.ts'
import { updateService } from '../../../src/domain/services/services.ts'
import {
  activityOf,
  onPglite,
  operator,
  ownApp,
  testDatabaseUrl,
  until
} from '../../support/app.ts'
import { aService, aServiceKey, keyCaller } from '../../support/keys.ts'
import { waitingForLocks } from '../../support/locks.ts'

// The audit trail keeps the networks from which a key is used, and uses of keys that have ended.

const app = await ownApp(t)
const { db } = app
const hour = 3_600_000

async function aKey() {
  const service = await aService(app.database)
  const key = await aServiceKey(app.database, service)
  const caller: KeyCaller = {
    owner: { type: 'service', id: service.id, label: service.key },
    roles: [],
    permissions: [],
    key: { id: key.id, name: key.name, createdAt: '', expiresAt: '' },
    list: null,
    assurance: 1,
    kept: { tags: { scope: 0, part: 0, number: '', roles: '' }, scopes: undefined },
    isAllowedFrom: undefined,
    expiresAt: Number.POSITIVE_INFINITY
  }
  return { service, key, caller }
}

/** An instance with a clock of its own, which starts at the time of the database. */
function anInstance() {
  let [time, start] = [0, Date.now()]
  const uses = createKeyUses(
    db,
    (error) => {
      throw error
    },
    () => time
  )
  return {
    uses,
    pass: (ms: number) => {
      time += ms
    },
    use: (caller: KeyCaller, ip: string) =>
      uses.mark(caller, start + time, ip, () => ({ ip, userAgent: 'a job' }))
  }
}

const networksOf = async (keyId: string) =>
  (
    await db
      .select({ ip: activity.ip })
      .from(activity)
      .where(and(eq(activity.action, 'key.use'), sql`${activity.details} ->> 'key' = ${keyId}`))
      .orderBy(asc(activity.ip))
  ).map(({ ip }) => ip)

t.test('uses from other networks within an hour are recorded when it ends', async (t) => {
  const { caller, service } = await aKey()
  const { uses, use, pass } = anInstance()
  for (const ip of ['192.0.2.1', '203.0.113.66', '203.0.113.66', '192.0.2.1', '198.51.100.7']) {
    use(caller, ip)
  }
  await uses.settle()
  t.same(await networksOf(caller.key.id), ['192.0.2.1'])
  pass(hour - 1)
  await uses.flush()
  await uses.settle()
  t.same(await networksOf(caller.key.id), ['192.0.2.1'])
  pass(1)
  await uses.flush()
  await uses.settle()
  t.same(await networksOf(caller.key.id), ['192.0.2.1', '198.51.100.7', '203.0.113.66'])
  const late = (await activityOf(app.database, service.id)).find(({ ip }) => ip === '203.0.113.66')
  t.match(late, { userAgent: 'a job', details: { firstAt: /^\d{4}-.*Z$/ } })
  await uses.close()
  t.equal((await networksOf(caller.key.id)).length, 3, 'and once')
})

t.test('they are recorded when the instance stops, also those of another instance', async (t) => {
  const { caller } = await aKey()
  const [one, two] = [anInstance(), anInstance()]
  one.use(caller, '192.0.2.1')
  await one.uses.settle()
  two.use(caller, '203.0.113.66')
  two.use(caller, '192.0.2.1')
  await two.uses.settle()
  t.same(await networksOf(caller.key.id), ['192.0.2.1'])
  await two.uses.close()
  t.same(await networksOf(caller.key.id), ['192.0.2.1', '203.0.113.66'])
})

t.test(
  'a key that is used from very many networks has about a hundred records an hour',
  async (t) => {
    const { caller } = await aKey()
    const { uses, use } = anInstance()
    for (let n = 0; n < 150; n++) use(caller, `192.0.2.${n}`)
    await uses.close()
    t.equal((await networksOf(caller.key.id)).length, 101)
  }
)

t.test('the networks of a key that have waited are recorded in one transaction', async (t) => {
  const { caller, service } = await aKey()
  const { uses, use, pass } = anInstance()
  for (let n = 0; n < 20; n++) use(caller, `192.0.2.${n}`)
  await uses.settle()
  pass(hour)
  await uses.flush()
  await uses.settle()
  const late = (await activityOf(app.database, service.id)).filter(
    ({ action, details }) => action === 'key.use' && details.firstAt !== undefined
  )
  t.equal(late.length, 19)
  t.equal(new Set(late.map(({ at }) => at.getTime())).size, 1, 'the time of the transaction')
})

t.test(
  'the records of many keys leave connections to requests',
  { skip: onPglite && 'PGlite has one connection' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const other = await ownApp(t, {}, await openDatabase(url, { poolMax: 4 }))
    const outside = await openDatabase(url, { poolMax: 2 })
    t.teardown(() => outside.close())
    const keys = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { secret } = await aServiceKey(other.database, await aService(other.database))
        return secret
      })
    )
    await outside.db.transaction(async (tx) => {
      await tx.execute(sql`select from api_keys for update`)
      for (const secret of keys) t.equal((await keyCaller(other, secret).me()).statusCode, 200)
      await until(async () => (await waitingForLocks(outside.db)) > 0)
      await other.db.execute(sql`select 1`)
      t.equal(await waitingForLocks(outside.db), 2)
    })
  }
)

t.test('a server that stops records the networks that have waited', async (t) => {
  const url = await testDatabaseUrl(t)
  const other = await ownApp(t, {}, await openDatabase(url, { poolMax: 3 }))
  const service = await aService(other.database)
  const { secret } = await aServiceKey(other.database, service)
  const headers = { authorization: `Bearer ${secret}` }
  for (const remoteAddress of ['192.0.2.1', '203.0.113.66']) {
    await other.inject({ url: '/api/machine/me', remoteAddress, headers })
  }
  await other.close()
  const after = await openDatabase(url, { poolMax: 2 })
  t.teardown(() => after.close())
  const ips = (await activityOf(after, service.id))
    .filter(({ action }) => action === 'key.use')
    .map(({ ip }) => ip)
  t.same(ips.toSorted(), ['192.0.2.1', '203.0.113.66'])
})

type Held = Awaited<ReturnType<typeof aKey>>
const ends: [reason: string, end: (held: Held) => Promise<unknown>][] = [
  ['key-revoked', ({ key }) => revokeKey(db, operator, { id: key.id })],
  [
    'key-expired',
    ({ key }) =>
      db
        .update(apiKeys)
        .set({
          createdAt: sql`now() - interval '2 days'`,
          expiresAt: sql`now() - interval '1 day'`
        })
        .where(eq(apiKeys.id, key.id))
  ],
  [
    'key-owner',
    ({ service }) =>
      updateService(db, operator, { key: service.key, changes: { status: 'deactivated' } })
  ]
]
for (const [reason, end] of ends) {
  t.test(`the use of an ended key is on record: ${reason}`, async (t) => {
    const held = await aKey()
    await end(held)
    const headers = { authorization: `Bearer ${held.key.secret}` }
    const me = () => app.inject({ url: '/api/machine/me', remoteAddress: '203.0.113.9', headers })
    for (let n = 0; n < 30; n++) t.equal((await me()).statusCode, 401)
    const rejected = async () =>
      (await activityOf(app.database, held.service.id)).filter(
        ({ action }) => action === 'key.rejected'
      )
    await until(async () => (await rejected()).length > 0)
    t.match(await rejected(), [
      {
        reason,
        outcome: 'failure',
        actorType: 'anonymous',
        ip: '203.0.113.9',
        details: { key: held.key.id, route: 'GET /api/machine/me' }
      }
    ])
  })
}
