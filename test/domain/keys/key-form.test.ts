// Not on PGlite: it uses no database.

import t from 'tap'
import { hashOfKey, keyForm, newKey } from '../../../src/domain/keys/key-form.ts'

t.test('a new key has the published form and 256 random bits', async (t) => {
  const keys = Array.from({ length: 200 }, () => newKey())
  for (const { secret, hash, lastFour } of keys) {
    t.match(secret, keyForm)
    t.equal(secret.length, 57)
    t.equal(hash.length, 32)
    t.equal(hashOfKey(secret), hash.toString('hex'))
    t.equal(lastFour, secret.slice(-4))
  }
  t.equal(new Set(keys.map(({ secret }) => secret)).size, 200)
})

t.test('the checksum is the CRC-32 in base62 of everything before it', async (t) => {
  // With the Python functions zlib.crc32 and divmod.
  const text = `portal_${'A'.repeat(43)}_2qpBIX`
  t.equal(hashOfKey(text)?.length, 64)
})

t.test('every single mistyped character is found', async (t) => {
  const { secret } = newKey()
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'x' ? 'y' : 'x'
    const mistyped = secret.slice(0, at) + other + secret.slice(at + 1)
    t.equal(hashOfKey(mistyped), undefined, `character ${at}`)
  }
})

t.test('other texts are not keys', async (t) => {
  const { secret } = newKey()
  for (const text of [
    '',
    'portal_',
    `${secret} `,
    ` ${secret}`,
    `${secret}\n`,
    `${secret}=`,
    secret.toUpperCase(),
    secret.slice(1),
    secret.slice(0, -1),
    'portal_'.repeat(1300)
  ]) {
    t.equal(hashOfKey(text), undefined, JSON.stringify(text.slice(0, 70)))
  }
})
