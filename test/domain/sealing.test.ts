// Not on PGlite: it uses no database.

import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createSealing } from '../../src/domain/sealing.ts'

const aKey = (kid: string) => ({ kid, secret: randomBytes(32) })
const [first, second] = [aKey('k1'), aKey('k2')]
const sealing = createSealing([first])
const plain = Buffer.from('JBSWY3DPEHPK3PXP')
const id = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const other = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4f'

t.test('a sealed value opens in its place, and is different each time', async (t) => {
  const sealed = sealing.seal('totp', id, plain)
  t.same(sealing.open('totp', id, sealed), plain)
  t.notSame(sealing.seal('totp', id, plain), sealed)
  t.notMatch(sealed.toString('latin1'), plain.toString('latin1'))
  const empty = sealing.seal('mail', id, Buffer.alloc(0))
  t.same(sealing.open('mail', id, empty), Buffer.alloc(0))
})

t.test('16 bytes take 52: version, key id, salt, tag and text', async (t) => {
  const sealed = sealing.seal('totp', id, plain)
  t.equal(sealed.length, 1 + 1 + 'k1'.length + 16 + 16 + plain.length)
  t.same(sealed.subarray(0, 4), Buffer.from('\x01\x02k1'))
})

t.test('it opens neither in another row nor for another purpose', async (t) => {
  const sealed = sealing.seal('totp', id, plain)
  t.equal(sealing.open('totp', other, sealed), undefined)
  t.equal(sealing.open('mail', id, sealed), undefined)
})

t.test('it opens with no bit changed and no byte added or removed', async (t) => {
  const sealed = sealing.seal('totp', id, plain)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    t.equal(sealing.open('totp', id, changed), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++) {
    t.equal(sealing.open('totp', id, sealed.subarray(0, length)), undefined, `${length} bytes`)
  }
  t.equal(sealing.open('totp', id, Buffer.concat([sealed, Buffer.of(0)])), undefined)
})

t.test('a tag cut to a length that GCM would accept does not open', async (t) => {
  const sealed = sealing.seal('totp', id, Buffer.alloc(0))
  t.equal(sealed.length, 36, 'the tag is at the end')
  for (const cut of [4, 8, 12, 13, 14, 15]) {
    t.equal(sealing.open('totp', id, sealed.subarray(0, 20 + cut)), undefined, `${cut} bytes`)
  }
})

t.test('the first key seals and every key opens, until it is dropped', async (t) => {
  const old = sealing.seal('totp', id, plain)
  const appended = createSealing([first, second])
  const rotated = createSealing([second, first])
  t.same(appended.seal('totp', id, plain).subarray(2, 4), Buffer.from('k1'))
  const renewed = rotated.seal('totp', id, plain)
  t.same(renewed.subarray(2, 4), Buffer.from('k2'))
  for (const sealed of [old, renewed]) {
    t.same(appended.open('totp', id, sealed), plain)
    t.same(rotated.open('totp', id, sealed), plain)
  }
  const dropped = createSealing([second])
  t.equal(dropped.open('totp', id, old), undefined)
  t.same(dropped.open('totp', id, renewed), plain)
})

t.test('another secret under the same key id does not open', async (t) => {
  t.equal(createSealing([aKey('k1')]).open('totp', id, sealing.seal('totp', id, plain)), undefined)
})

t.test('a value says whether the present key sealed it, an older one, or none', async (t) => {
  const old = sealing.seal('totp', id, plain)
  const rotated = createSealing([second, first])
  t.equal(rotated.judge('totp', id, old), 'old')
  t.equal(rotated.judge('totp', id, rotated.seal('totp', id, plain)), 'current')
  t.equal(createSealing([second]).judge('totp', id, old), 'unreadable')
  t.equal(rotated.judge('totp', other, old), 'unreadable')
})

t.test('sealing requires a key', async (t) => {
  t.throws(() => createSealing([]), { message: 'no key to seal with' })
})
