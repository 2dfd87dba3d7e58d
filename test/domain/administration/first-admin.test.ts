import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import {
  createFirstAdmin,
  firstAdminEmail
} from '../../../src/domain/administration/first-admin.ts'
import { anonymous, servicesOf, passwords, testDatabase } from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'

t.test(
  'the first administrator gets a working password, and no second one is created',
  async (t) => {
    const { db } = await testDatabase(t)
    const made = (
      await Promise.all([createFirstAdmin({ db, passwords }), createFirstAdmin({ db, passwords })])
    ).filter((password) => password !== undefined)
    t.equal(made.length, 1, 'of two at once one is made')
    t.equal(await createFirstAdmin({ db, passwords }), undefined)
    t.match(made[0], /^[\w-]{20}$/)
    const { user } = await signIn(servicesOf({ db }), anonymous, {
      email: firstAdminEmail,
      password: made[0] ?? '',
      presented: []
    })
    t.same(user.roles, ['admin', 'user'])
    t.equal(user.emailVerified, true)
    const [record] = await db.select().from(activity).where(eq(activity.action, 'admin.bootstrap'))
    t.match(record, {
      outcome: 'success',
      actorType: 'system',
      targetType: 'user',
      targetId: user.id,
      details: { email: firstAdminEmail }
    })
  }
)
