import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { grantRole } from '../../../src/domain/access/memberships.ts'
import { verifyEmail } from '../../../src/domain/administration/users.ts'
import { noticeExpiringKeys } from '../../../src/domain/jobs/key-expiry.ts'
import { newKey } from '../../../src/domain/keys/key-form.ts'
import { openPayload } from '../../../src/domain/outbox/enqueue.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import { aUser, operator, testDatabase } from '../../support/app.ts'
import { aService } from '../../support/keys.ts'

const sealing = createSealing([{ kid: 'test', secret: randomBytes(32) }])
const mail = { sealing, delivers: true, verification: 'optional' as const, signInNotices: false }
const { signal } = new AbortController()

t.test('each key that expires in two weeks causes mail once, from one of two runs', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const [user, admin] = [await aUser(database), await aUser(database)]
  for (const { id } of [user, admin]) await verifyEmail(db, operator, { userId: id })
  await grantRole(db, operator, { userId: admin.id, role: 'admin' })
  const service = await aService(database)
  const insert = async (name: string, lives: number, left: number, ofService = false) => {
    const { hash, lastFour } = newKey()
    await db.insert(apiKeys).values({
      id: sql`gen_random_uuid()`,
      ...(ofService ? { serviceId: service.id } : { userId: user.id }),
      name,
      hash,
      lastFour,
      assurance: 1,
      createdAt: sql`now() - make_interval(days => ${lives - left})`,
      expiresAt: sql`now() + make_interval(days => ${left})`
    })
  }
  await insert('soon', 90, 13)
  await insert('later', 90, 15)
  await insert('short-lived', 10, 5)
  await insert('expired', 90, -1)
  await insert('revoked', 90, 2)
  await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(eq(apiKeys.name, 'revoked'))
  await insert('of a service', 90, 3, true)

  const counts = await Promise.all([1, 2].map(() => noticeExpiringKeys(db, mail, signal)))
  t.equal(
    counts.reduce((sum, each) => sum + each),
    2
  )
  t.equal(await noticeExpiringKeys(db, mail, signal), 0)
  const rows = await db.select().from(outbox).where(eq(outbox.kind, 'key-expiring'))
  const mails = rows.map(({ id, payload }) => openPayload(sealing, id, payload))
  mails.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
  t.match(mails, [
    { to: user.email, content: { name: 'soon' } },
    { to: admin.email, content: { name: 'of a service', service: service.key } }
  ])
})
