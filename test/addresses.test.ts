import t from 'tap'
import { maskAddress, normaliseAddress } from '../src/addresses.ts'

t.test('an address is one, in one form, or undefined', async (t) => {
  t.equal(normaliseAddress('203.0.113.7'), '203.0.113.7')
  t.equal(normaliseAddress('::ffff:203.0.113.7'), '203.0.113.7')
  t.equal(normaliseAddress('fe80::1%eth0'), 'fe80::1')
  for (const text of [undefined, '', 'unknown', '203.0.113.7:80', '::ffff:999.1.1.1', '<script>']) t.equal(normaliseAddress(text), undefined)
})

t.test('logs keep the network and not the host', async (t) => {
  t.equal(maskAddress('203.0.113.7'), '203.0.113.0')
  t.equal(maskAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1::')
  t.equal(maskAddress('2001:db8::6'), '2001:db8::')
  t.equal(maskAddress('::1'), '::')
  t.equal(maskAddress('nonsense'), undefined)
})
