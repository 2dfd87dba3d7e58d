import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { encode } from 'uqr'
import { totp } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import {
  replaceRecoveryCodes,
  spendRecoveryCode
} from '../../../src/domain/factors/recovery-codes.ts'
import { drawQrCode, generatorOf, spendCode, stepOf } from '../../../src/domain/factors/totp.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import type { Sealing } from '../../../src/domain/sealing.ts'
import { aUser, testDatabase } from '../../support/app.ts'
import { codeOf, forgetCodes, wrongOf } from '../../support/second-factors.ts'

const secret = Buffer.from('12345678901234567890')
/** RFC 6238, appendix B, for SHA-1, cut to six digits. */
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130']
]

t.test('the codes of RFC 6238 are right at their times', async (t) => {
  for (const [seconds, code] of vectors) {
    t.equal(stepOf(secret, code, seconds), Math.floor(seconds / 30), code)
    const shown = `${code.slice(0, 3)} ${code.slice(3)}`
    t.equal(stepOf(secret, shown, seconds), Math.floor(seconds / 30), 'as apps show it')
    t.equal(generatorOf(secret).generate({ timestamp: seconds * 1000 }), code)
  }
})

t.test('a code is right from one step before its own to one step after it', async (t) => {
  const [, code] = vectors[3] ?? []
  const step = Math.floor(1_234_567_890 / 30)
  const found = (seconds: number) => stepOf(secret, code ?? '', seconds)
  t.same(
    [-31, -30, -1, 0, 29, 30, 59, 60].map((offset) => found(step * 30 + offset)),
    [undefined, step, step, step, step, step, step, undefined],
    'whatever the time within a step, the step is that of the code'
  )
})

t.test('a code in any other form is wrong, and no error', async (t) => {
  const [[seconds, code]] = vectors as [[number, string]]
  const forms = [
    '',
    ' ',
    code.slice(1),
    `0${code}`,
    `${code} `,
    ` ${code}`,
    `${code}\n`,
    '２８７０８２'
  ]
  for (const form of [...forms, '28708٢', '28 082', '-87082', '2.7082', '0x7082', '\0'.repeat(6)]) {
    t.equal(stepOf(secret, form, seconds), undefined, JSON.stringify(form))
  }
})

const database = await testDatabase(t)
const { db } = database
const key = { kid: 'k1', secret: randomBytes(32) }
const sealing = createSealing([key])
const base32 = generatorOf(secret).secret.base32
const spend = (userId: string, code: string, keys: Sealing = sealing) =>
  transaction(db, (tx) => spendCode(tx, keys, userId, code))

/** A user whose app has the secret above. */
async function aUserWithSecret() {
  const { id } = await aUser(database)
  await db
    .insert(totp)
    .values({ userId: id, secret: sealing.seal('totp', id, secret), confirmedAt: new Date() })
  return id
}

t.test('neither a code nor one of an earlier step is accepted after it was used', async (t) => {
  const id = await aUserWithSecret()
  const [now, next] = [await codeOf(db, base32), await codeOf(db, base32, 1)]
  t.equal(await spend(id, next), true)
  t.equal(await spend(id, next), false, 'the same again')
  t.equal(await spend(id, now), false, 'the one before')
  await forgetCodes(db, id)
  t.equal(await spend(id, now), true, 'only because a later one was used')
  t.equal(await spend(id, next), true)
})

t.test('a wrong code uses nothing up', async (t) => {
  const id = await aUserWithSecret()
  const code = await codeOf(db, base32)
  t.equal(await spend(id, wrongOf(code)), false)
  t.equal(await spend(id, await codeOf(db, base32, 20)), false, 'from the future')
  t.equal(await spend(id, await codeOf(db, base32, -20)), false, 'from the past')
  t.equal(await spend(id, code), true)
})

t.test('a secret that was not confirmed accepts no code', async (t) => {
  const { id } = await aUser(database)
  const sessionId = randomUUID()
  await db.insert(sessions).values({
    id: sessionId,
    tokenHash: randomBytes(32),
    userId: id,
    expiresAt: new Date(Date.now() + 60_000),
    pendingTotp: sealing.seal('totp', sessionId, secret)
  })
  t.equal(await spend(id, await codeOf(db, base32)), false)
})

t.test(
  'a secret opens under an old key, but not without its key nor for another user',
  async (t) => {
    const id = await aUserWithSecret()
    const other = { kid: 'k2', secret: randomBytes(32) }
    const unreadable = { code: 'second-factor-unreadable', statusCode: 503 }
    t.equal(await spend(id, await codeOf(db, base32), createSealing([other, key])), true)
    await forgetCodes(db, id)
    await t.rejects(spend(id, await codeOf(db, base32), createSealing([other])), unreadable)

    const thief = await aUserWithSecret()
    const [row] = await db.select().from(totp).where(eq(totp.userId, id))
    await db.update(totp).set({ secret: row?.secret }).where(eq(totp.userId, thief))
    await t.rejects(spend(thief, await codeOf(db, base32)), unreadable)
  }
)

t.test('ten recovery codes of 120 bits, each accepted once, however it is typed', async (t) => {
  const [{ id }, other] = [await aUser(database), await aUser(database)]
  const codes = await replaceRecoveryCodes(db, id)
  t.equal(new Set(codes).size, 10)
  for (const code of codes) t.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/)
  const spellings = [
    (code: string) => code,
    (code: string) => code.toLowerCase(),
    (code: string) => code.replaceAll('-', ''),
    (code: string) => ` ${code.replaceAll('-', ' ')}\n`,
    (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
    (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'I'),
    (code: string) => `${code}.`,
    (code: string) => `"${code.replaceAll('-', '–')}"`
  ]
  for (const [n, spell] of spellings.entries()) {
    const code = spell(codes[n] ?? '')
    t.equal(await spendRecoveryCode(db, other.id, code), false, 'of another user')
    t.equal(await spendRecoveryCode(db, id, code), true, JSON.stringify(code))
    t.equal(await spendRecoveryCode(db, id, codes[n] ?? ''), false, 'again')
  }
  const [last = ''] = codes.slice(-1)
  for (const wrong of ['', '-', last.slice(1), `${last}0`, 'U'.repeat(24), '０'.repeat(24)]) {
    t.equal(await spendRecoveryCode(db, id, wrong), false, wrong)
  }
  await replaceRecoveryCodes(db, id)
  t.equal(await spendRecoveryCode(db, id, last), false, 'after it was replaced')
})

t.test('the QR code in SVG has exactly the dark modules, and no style or script', async (t) => {
  const text = generatorOf(secret, { issuer: 'Kontor', label: 'ada@example.com' }).toString()
  const svg = drawQrCode(text)
  const { data, size } = encode(text, { border: 4 })
  const drawn = data.map((row) => row.map(() => false))
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let i = 0; i < Number(length); i++) {
      const row = drawn[Number(y)]
      if (row) row[Number(x) + i] = true
    }
  }
  t.same(drawn, data)
  t.match(svg, `viewBox="0 0 ${size} ${size}"`)
  t.notMatch(svg, /style|script|href|on\w+=/i)
  t.ok(svg.length < 12_000, `${svg.length} characters`)
})
