// Not on PGlite: it uses no database.

import { hash } from '@node-rs/bcrypt'
import t from 'tap'
import { createBulkhead } from '../../../src/domain/bulkhead.ts'
import { createPasswords } from '../../../src/domain/passwords/passwords.ts'
import { passwords, passwordsOf } from '../../support/app.ts'

const owner = { email: 'ada@example.com', name: 'Ada Lovelace' }

t.test('a password matches its hash, and other passwords do not', async (t) => {
  const stored = await passwords.hash('correct horse')
  t.match(stored, /^\$2b\$04\$/)
  t.equal(await passwords.verify('correct horse', stored), true)
  t.equal(await passwords.verify('correct Horse', stored), false)
})

t.test('the same text in another Unicode composition is the same password', async (t) => {
  t.equal(await passwords.verify('cafe\u0301 noir', await passwords.hash('caf\u00e9 noir')), true)
})

t.test(
  'a password over 72 bytes is compared to its last character, and its hash is marked',
  async (t) => {
    const long = 'x'.repeat(73)
    const stored = await passwords.hash(long)
    t.match(stored, /^h384:\$2b\$04\$/)
    t.equal(await passwords.verify(long, stored), true)
    t.equal(await passwords.verify('x'.repeat(72), stored), false)
    t.equal(await passwords.verify(`${'x'.repeat(72)}y`, stored), false)
  }
)

t.test('a password of exactly 72 bytes is digested as well', async (t) => {
  const x72 = 'x'.repeat(72)
  const stored = await passwords.hash(x72)
  t.match(stored, /^h384:\$2b\$04\$/)
  t.same(
    [await passwords.verify(x72, stored), await passwords.verify(`${x72}y`, stored)],
    [true, false]
  )
  t.match(await passwords.hash('x'.repeat(71)), /^\$2b\$/, 'shorter ones are plain bcrypt')
})

t.test('an unmarked hash matches passwords of at most 72 bytes', async (t) => {
  const stored = await hash('é'.repeat(36), 4)
  t.equal(await passwords.verify('é'.repeat(36), stored), true)
  t.equal(await passwords.verify('e\u0301'.repeat(36), stored), true, 'measured after composition')
  t.equal(await passwords.verify(`${'é'.repeat(36)}y`, stored), false)
  const truncated = await hash('x'.repeat(80), 4)
  t.equal(await passwords.verify('x'.repeat(80), truncated), false, 'though bcrypt takes it')
})

t.test(
  'NUL, unpaired surrogates and more than 128 characters match no hash, even if bcrypt would match',
  async (t) => {
    t.equal(await passwords.verify('ab\0ab', await hash('ab', 4)), false)
    t.equal(await passwords.verify('\ud800aaaa', await hash('\udbffaaaa', 4)), false)
    t.equal(await passwords.verify('x'.repeat(129), await hash('x'.repeat(129), 4)), false)
  }
)

t.test('no password matches a missing or malformed hash', async (t) => {
  for (const stored of [null, undefined, '', 'plain', '$2b$04$short', 'h384:']) {
    t.equal(await passwords.verify('correct horse', stored), false)
  }
})

t.test(
  'a hash of lower cost, of an older version or of 72 bytes without a mark is outdated',
  async (t) => {
    const { isOutdated } = passwordsOf(5)
    t.equal(isOutdated('short', await hash('short', 5)), false)
    t.equal(isOutdated('short', await hash('short', 4)), true)
    t.equal(isOutdated('short', (await hash('short', 5)).replace('$2b$', '$2a$')), true)
    t.equal(isOutdated('x'.repeat(72), await hash('x'.repeat(72), 5)), true)
    t.equal(isOutdated('x'.repeat(73), await hash('x'.repeat(73), 5)), true)
    t.equal(isOutdated('x'.repeat(71), await hash('x'.repeat(71), 5)), false)
    t.equal(isOutdated('x'.repeat(73), `h384:${await hash('x', 5)}`), false)
  }
)

t.test('the minimum length is configurable and counted in characters', async (t) => {
  const { check } = createPasswords({
    minLength: 15,
    cost: 4,
    bulkhead: createBulkhead({ running: 1, waiting: 1, maxWait: 1000 })
  })
  await t.rejects(check('fourteen chars', 'password', owner), {
    code: 'invalid-request',
    errors: [{ pointer: '/password', code: 'too-short', message: 'At least 15 characters' }]
  })
  await t.resolves(check('🙂🙃'.repeat(7) + '😉', 'password', owner))
  await t.rejects(check('🙂🙃'.repeat(7), 'newPassword', owner), {
    errors: [{ pointer: '/newPassword', code: 'too-short' }]
  })
})
