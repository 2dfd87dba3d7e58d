// Not on PGlite: the engine makes no difference to it.

import { eq } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { registrations } from '../../../db/schema/tokens.ts'
import { prepareMail } from '../../../src/domain/mail/preparation.ts'
import { claim } from '../../../src/domain/outbox/claim.ts'
import { completeDelivery } from '../../../src/domain/outbox/complete-delivery.ts'
import { openPayload, requestMail } from '../../../src/domain/outbox/enqueue.ts'
import { activityOf, anonymous, aUser, freshEmail, testDatabase } from '../../support/app.ts'
import { sealing } from '../outbox/parts.ts'

const database = await testDatabase(t)
const { db } = database
const mail = { sealing, delivers: true, verification: 'required', signInNotices: true } as const

/** The only mail that is due, as a worker prepares it. */
async function prepareNext() {
  const [row] = await claim(db, 1)
  const payload = row && openPayload(sealing, row.id, row.payload)
  if (!row || !payload) throw new Error('no mail is due')
  const prepared = await prepareMail(db, sealing, { ...row, payload })
  return { row, prepared }
}

t.test('a mail that a stranger asks for belongs to its owner once it is prepared', async (t) => {
  const user = await aUser(database)
  await db.transaction((tx) =>
    requestMail(tx, mail, anonymous, { request: 'recovery', emailNormalized: user.email })
  )
  const [id] = await db
    .insert(registrations)
    .values({
      id: '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
      email: user.email,
      emailNormalized: user.email,
      name: 'x',
      passwordHash: `$2b$04$${'x'.repeat(53)}`,
      expiresAt: new Date(Date.now() + 3_600_000)
    })
    .returning({ id: registrations.id })
  await db.transaction((tx) =>
    requestMail(tx, mail, anonymous, { request: 'registration', registrationId: id?.id ?? '' })
  )
  for (const kind of ['recovery', 'already-registered']) {
    const { row, prepared } = await prepareNext()
    t.match({ row, prepared }, { row: { userId: null }, prepared: { content: { kind } } })
    t.notOk(prepared && 'userId' in prepared)
    const [stored] = await db.select().from(outbox).where(eq(outbox.id, row.id))
    t.equal(stored?.userId, user.id)
    await completeDelivery(db, row, { outcome: 'final', error: 'smtp 550' })
  }
  const dead = (await activityOf(database, user.id)).filter(({ action }) => action === 'mail.dead')
  t.equal(dead.length, 2, 'also in the records of the first delivery')
})

t.test('a mail that is not sent has no owner', async (t) => {
  await db.transaction((tx) =>
    requestMail(tx, mail, anonymous, { request: 'recovery', emailNormalized: freshEmail() })
  )
  const { row, prepared } = await prepareNext()
  t.equal(prepared, undefined)
  t.match(await db.select().from(outbox).where(eq(outbox.id, row.id)), [{ userId: null }])
})
