import t from 'tap'
import { maskAddress, normalizeAddress, trustOf } from '../../src/config/addresses.ts'

t.test('a valid address is normalized, and anything else is undefined', async (t) => {
  t.equal(normalizeAddress('203.0.113.7'), '203.0.113.7')
  t.equal(normalizeAddress('::ffff:203.0.113.7'), '203.0.113.7')
  t.equal(normalizeAddress('::ffff:cb00:7107'), '203.0.113.7', 'in hexadecimal')
  t.equal(normalizeAddress('2001:0DB8:0::7'), '2001:db8::7')
  t.equal(normalizeAddress('fe80::1%eth0'), 'fe80::1')
  for (const text of [
    undefined,
    '',
    'unknown',
    '203.0.113.7:',
    '203.0.113.7:123456',
    '::ffff:999.1.1.1',
    '127.1',
    '0x7f.0.0.1',
    '<script>'
  ]) {
    t.equal(normalizeAddress(text), undefined)
  }
})

t.test('a forwarded address may have a port', async (t) => {
  t.equal(normalizeAddress('1.2.3.4:5678'), '1.2.3.4')
  t.equal(normalizeAddress('[2001:db8::1]:443'), '2001:db8::1')
  t.equal(normalizeAddress('[2001:db8::1]'), '2001:db8::1')
  t.equal(normalizeAddress('[::ffff:1.2.3.4]:80'), '1.2.3.4')
  t.equal(
    normalizeAddress('2001:db8::1:443'),
    '2001:db8::1:443',
    'without brackets it is all address'
  )
  for (const text of [
    '[1.2.3.4]:80',
    '[2001:db8::1',
    '[]:80',
    '[x]:80',
    '999.2.3.4:80',
    '1.2.3.4:x',
    '1.2.3.4:80, 5.6.7.8'
  ]) {
    t.equal(normalizeAddress(text), undefined, text)
  }
})

t.test(
  'a proxy is trusted by address or range, in both forms of IPv4, with or without a port',
  async (t) => {
    const isTrusted = trustOf([
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
      '::ffff:198.51.100.0/120'
    ])
    for (const address of [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '::ffff:a01:203',
      '10.1.2.3:4567',
      '192.0.2.1',
      '2001:db8::7',
      '[2001:db8::7]:443',
      '198.51.100.7'
    ]) {
      t.ok(isTrusted(address), address)
    }
    for (const address of ['11.1.2.3', '192.0.2.2', '192.0.2.1.', '2001:db9::7', 'nonsense', '']) {
      t.notOk(isTrusted(address), address)
    }
  }
)

t.test('logs contain the network but not the host', async (t) => {
  t.equal(maskAddress('203.0.113.7'), '203.0.113.0')
  t.equal(maskAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1::')
  t.equal(maskAddress('2001:db8::6'), '2001:db8::')
  t.equal(maskAddress('::1'), '::')
  t.equal(maskAddress('::ffff:cb00:7107'), '203.0.113.0')
  t.equal(maskAddress('nonsense'), undefined)
})
