import { eq } from 'drizzle-orm'
import t from 'tap'
import { users, userSettings } from '../../../db/schema/users.ts'
import { changeSettings } from '../../../src/domain/settings/settings.ts'
import { compileSettings } from '../../../src/http/settings-rules.ts'
import { aUser, onPglite, operator, testDatabase, until } from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'
import { schemaFile, settingsOf } from '../../support/settings.ts'

const skip = onPglite && 'it has one connection'

t.test(
  'a write during the deletion of the user is refused, and leaves nothing',
  { skip },
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const settings = await compileSettings(settingsOf(t, schemaFile))
    const { id: userId } = await aUser(database)
    let written: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await tx.delete(users).where(eq(users.id, userId))
      written = changeSettings({ db, settings }, operator, {
        userId,
        part: 'app',
        permission: 'users:update',
        change: { patch: { plan: 'pro' } }
      }).catch((error: unknown) => error)
      await until(async () => (await waitingForLocks(db)) > 0)
    })
    t.match(await written, { code: 'user-not-found' })
    t.equal(await db.$count(userSettings), 0)
  }
)
