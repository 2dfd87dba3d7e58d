import { randomBytes } from 'node:crypto'
import t from 'tap'
import { spentChallenges } from '../../../db/schema/second-factors.ts'
import { transaction } from '../../../db/transaction.ts'
import {
  challengeSeconds,
  createChallenges,
  spendChallenge
} from '../../../src/domain/factors/challenges.ts'
import type { Challenge } from '../../../src/domain/factors/challenges.ts'
import { expiredRows } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import { testDatabase } from '../../support/app.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]
const challenges = createChallenges([key])
const read = (text: string) => challenges.read('passkey-login', text)

t.test('a challenge is accepted for its purpose, user and session only', async (t) => {
  const text = challenges.issue('passkey-add:one:two')
  t.match(text, /^[A-Za-z0-9_-]{70}$/)
  t.ok(challenges.read('passkey-add:one:two', text))
  t.equal(read(text), undefined)
  for (const purpose of ['passkey-prove:one:two', 'passkey-add:two:one', 'passkey-add:one:three']) {
    t.equal(challenges.read(purpose as 'passkey-login', text), undefined, purpose)
  }
})

t.test('a challenge that was changed in any letter, or made up, is not accepted', async (t) => {
  const text = challenges.issue('passkey-login')
  const bytes = Buffer.from(text, 'base64url')
  for (const [i, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes)
    changed[i] = byte ^ 1
    t.equal(read(changed.toString('base64url')), undefined, `byte ${i}`)
  }
  const made = ['', 'x'.repeat(70), text.slice(1), `${text}A`, `${text}=`, ` ${text}`, `${text}\n`]
  for (const each of made) t.equal(read(each), undefined)
})

t.test('every key verifies, the first signs, and a dropped one counts for nothing', async (t) => {
  const text = challenges.issue('passkey-login')
  const rotated = createChallenges([other, key])
  t.ok(rotated.read('passkey-login', text))
  t.equal(read(rotated.issue('passkey-login')), undefined)
  t.equal(createChallenges([other]).read('passkey-login', text), undefined)
})

t.test('of many concurrent uses of a challenge one succeeds', async (t) => {
  const { db } = await testDatabase(t)
  const spend = (challenge: Challenge) => transaction(db, (tx) => spendChallenge(tx, challenge))
  for (let round = 0; round < 10; round++) {
    const challenge = read(challenges.issue('passkey-login'))
    if (!challenge) throw new Error('not read')
    const uses = await Promise.all(Array.from({ length: 8 }, () => spend(challenge)))
    t.equal(uses.filter((use) => use === 'used').length, 1)
    t.equal(await spend(challenge), 'repeated')
  }
})

t.test('an expired challenge is not accepted, before and after its row is deleted', async (t) => {
  const { db } = await testDatabase(t)
  const issuedAgo = (seconds: number) => {
    const text = createChallenges([key], () => Date.now() - seconds * 1000).issue('passkey-login')
    return read(text) as Challenge
  }
  const spend = (challenge: Challenge) => transaction(db, (tx) => spendChallenge(tx, challenge))
  const [late, inTime] = [issuedAgo(challengeSeconds + 1), issuedAgo(challengeSeconds - 30)]
  t.equal(await spend(late), 'expired')
  t.equal(await spend(inTime), 'used')
  t.match(await deleteOld(db, expiredRows['expired challenges'], 10), { deleted: 1 })
  t.equal(await db.$count(spentChallenges), 1, 'the other one can still be answered')
  t.equal(await spend(late), 'expired')
  t.equal(await spend(inTime), 'repeated')
})
