import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../../db/schema/outbox.ts'
import { users } from '../../../db/schema/users.ts'
import { anonymous, aUser, password, servicesOf, testDatabase } from '../../support/app.ts'
import { sealing } from '../outbox/parts.ts'
import { signIn } from '../../support/sign-in.ts'

const database = await testDatabase(t)
const { db } = database
const context = servicesOf(database)

t.test('a program without cookies causes ten notices in 24 hours, not one each time', async (t) => {
  const { id, email } = await aUser(database)
  await db
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, id))
  const mail = {
    sealing,
    delivers: true,
    verification: 'optional' as const,
    signInNotices: true
  }
  const notices = () => db.$count(outbox, eq(outbox.userId, id))
  for (let i = 0; i < 13; i++) {
    await signIn({ ...context, mail }, anonymous, { email, password, presented: [] })
  }
  t.equal(await notices(), 10)
  await db
    .update(outbox)
    .set({ createdAt: sql`now() - interval '25 hours'` })
    .where(eq(outbox.userId, id))
  await signIn({ ...context, mail }, anonymous, { email, password, presented: [] })
  t.equal(await notices(), 11)
})
