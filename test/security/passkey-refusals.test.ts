import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
import { subKey } from '../../src/config/keys.ts'
import { createChallenges } from '../../src/domain/factors/challenges.ts'
import { aCaller, activityOf, testApp } from '../support/app.ts'
import { passkeySignIn, provePasskey, withPasskey } from '../support/passkeys.ts'

// Why a passkey was refused: its owner and operators read it in the activity, and nobody else.

const app = await testApp(t)
const codeOf = (response: { json(): { code: string } }) => response.json().code
const newest = async ({ id }: { id: string }) => (await activityOf(app.database, id))[0]

for (const synced of [false, true]) {
  t.test(
    `a passkey that ${synced ? 'could' : 'could not'} be copied when it was added stays so`,
    async (t) => {
      const caller = await withPasskey(t, await aCaller(app), { synced })
      const { passkey, user } = caller
      const stored = async () =>
        (await app.db.select().from(passkeys).where(eq(passkeys.userId, user.id)))[0]
      const before = await stored()
      const changed = { synced: !synced, counter: 7 }
      t.equal(codeOf(await passkeySignIn(app, passkey, changed)), 'passkey-refused')
      t.match(await newest(user), {
        action: 'auth.login',
        outcome: 'failure',
        reason: 'other-device-type'
      })
      t.equal(codeOf(await provePasskey(caller, passkey, changed)), 'wrong-passkey')
      t.match(await newest(user), { action: 'auth.second-factor', reason: 'other-device-type' })
      t.same(await stored(), before, 'neither its counter nor its backup state changes')
      t.equal((await passkeySignIn(app, passkey)).statusCode, 200, 'the same as before is accepted')
    }
  )
}

t.test('a challenge that has expired is on record as such, and not as a repetition', async (t) => {
  const { passkey, user } = await withPasskey(t, await aCaller(app))
  const keys = app.config.SECRET_KEYS.map((key) => subKey(key, 'challenge'))
  // An instance whose clock is six minutes behind that of the database issues it.
  const challenge = createChallenges(keys, () => Date.now() - 360_000).issue('passkey-login')
  t.equal(codeOf(await passkeySignIn(app, passkey, { challenge })), 'passkey-refused')
  t.match(await newest(user), { action: 'auth.login', reason: 'expired-challenge' })
  t.equal(codeOf(await passkeySignIn(app, passkey, { challenge })), 'passkey-refused')
  t.match(await newest(user), { action: 'auth.login', reason: 'repeated' })
})
