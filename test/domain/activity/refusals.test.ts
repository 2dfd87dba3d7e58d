import { desc, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { createRefusalLog } from '../../../src/domain/activity/refusals.ts'
import type { RefusedAttempt } from '../../../src/domain/activity/refusals.ts'
import { anonymous, aUser, testDatabase } from '../../support/app.ts'

const refusal: RefusedAttempt = {
  reason: 'permission-denied',
  actor: { ...anonymous, ip: '2001:db8::1' },
  route: 'GET /api/admin/users',
  details: { permission: 'users:read' }
}
const failed = (error: unknown) => {
  throw error
}

const database = await testDatabase(t)

/** A log on the shared database, which has no records yet. */
async function aLog(onError: (error: unknown) => void = failed, kinds?: number) {
  const { db } = database
  await db.delete(activity)
  const recorded = () => db.select().from(activity).orderBy(desc(activity.at), desc(activity.id))
  return { db, recorded, ...createRefusalLog(db, onError, kinds) }
}

t.test('the first refusal is recorded at once, and repetitions with each flush', async (t) => {
  const { note, flush, recorded } = await aLog()
  await note(refusal)
  t.match(await recorded(), [
    {
      action: 'access.denied',
      outcome: 'failure',
      reason: 'permission-denied',
      details: { route: 'GET /api/admin/users', permission: 'users:read' }
    }
  ])
  await note({ ...refusal, actor: { ...anonymous, ip: '2001:db8::1' } })
  await note({ ...refusal, actor: { ...anonymous, ip: '2001:db8::2' } })
  t.equal((await recorded()).length, 1)

  await flush()
  const [latest, ...others] = await recorded()
  t.match(latest, { details: { count: 2 }, ip: '2001:db8::2' })
  t.equal(others.length, 1)
  await flush()
  t.equal((await recorded()).length, 2, 'nothing was repeated since')
  await note(refusal)
  t.equal((await recorded()).length, 3, 'the kind is forgotten, so this is a first one again')
})

t.test(
  'refusals are grouped by reason, caller or network, route, permission and limit',
  async (t) => {
    const { note, recorded, close } = await aLog()
    const others: Partial<RefusedAttempt>[] = [
      {},
      { reason: 'exceeds-own-permissions' },
      { actor: { ...anonymous, ip: '192.0.2.2' } },
      { actor: { ...anonymous, id: '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e' } },
      { route: 'GET /api/admin/roles' },
      { details: { permission: 'users:update' } },
      { details: { limit: 'writes' } }
    ]
    for (const other of [...others, ...others]) await note({ ...refusal, ...other })
    t.equal((await recorded()).length, others.length)
    await close()
    t.equal((await recorded()).length, 2 * others.length)
  }
)

t.test('many kinds of refusals at once do not fill the database', async (t) => {
  const { note, flush, recorded } = await aLog(failed, 20)
  const from = (n: number) => note({ ...refusal, actor: { ...anonymous, ip: `10.0.0.${n}` } })
  await Promise.all(Array.from({ length: 25 }, (_, n) => from(n)))
  t.equal((await recorded()).length, 20)
  await flush()
  await from(25)
  t.equal((await recorded()).length, 21, 'there is room again')
})

t.test('insignificant reasons are not recorded', async (t) => {
  const { note, recorded } = await aLog()
  await note({ ...refusal, reason: 'wrong-password' })
  t.same(await recorded(), [])
})

t.test('the record of a limit names the protected account and no permission', async (t) => {
  const { id } = await aUser(database)
  const { note } = await aLog()
  await note({ ...refusal, reason: 'rate-limited', details: { limit: 'login-pair', userId: id } })
  const [record] = await database.db
    .select()
    .from(activity)
    .where(sql`${activity.action} = 'throttle.limited'`)
  t.match(record, { targetType: 'user', targetId: id })
  t.same(record?.details, { route: 'GET /api/admin/users', limit: 'login-pair' })
})

t.test(
  'a record that cannot be stored is reported, and the request is still refused',
  async (t) => {
    const errors: unknown[] = []
    const { db, note } = await aLog((error) => errors.push(error))
    await db.execute(sql`alter table activity rename to elsewhere`)
    await note(refusal)
    await db.execute(sql`alter table elsewhere rename to activity`)
    t.equal(errors.length, 1)
  }
)

t.test('challenges and refused registrations of all callers are one record an hour', async (t) => {
  const { note, flush, recorded, close } = await aLog()
  for (let n = 1; n <= 300; n++) {
    const actor = { ...anonymous, ip: `10.0.${n >> 8}.${n & 255}` }
    await note({ reason: 'challenge-required', actor, route: 'POST /api/auth/register' })
  }
  await note({ ...refusal, reason: 'domain-refused' })
  await flush()
  t.match(await recorded(), [
    { action: 'auth.register-refused', reason: 'domain-refused', ip: null },
    { action: 'auth.register-refused', reason: 'challenge-required', ip: null, details: {} }
  ])
  await close()
  const [last, ...others] = await recorded()
  t.match(last, { reason: 'challenge-required', details: { count: 299 } })
  t.equal(others.length, 2)
})
