// Not on PGlite: it uses no database.

import t from 'tap'
import { canonicalNetwork, networksOf } from '../../src/domain/networks.ts'

for (const [address, own, site] of [
  ['192.0.2.7', '192.0.2.7', undefined],
  ['::ffff:192.0.2.7', '192.0.2.7', undefined],
  ['::FFFF:192.0.2.7', '192.0.2.7', undefined],
  ['::ffff:c000:207', '192.0.2.7', undefined],
  ['0:0:0:0:0:FFFF:C000:0207', '192.0.2.7', undefined],
  ['::ffff:192.0.2.7%eth0', '192.0.2.7', undefined],
  ['127.1', 'unknown', undefined],
  ['0177.0.0.1', 'unknown', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  [undefined, 'unknown', undefined],
  ['', 'unknown', undefined],
  ['10.0.0.1, 10.0.0.2', 'unknown', undefined],
  ['999.1.1.1', 'unknown', undefined],
  ['[::1]', 'unknown', undefined]
] as const) {
  t.test(`${address} is counted as ${own}${site ? ` and ${site}` : ''}`, async (t) =>
    t.same(networksOf(address), site ? [own, site] : [own])
  )
}

t.test('a network in CIDR notation has one form, and other texts are none', async (t) => {
  for (const [text, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7/024', '203.0.113.7/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7/128', '203.0.113.7'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.0/24', undefined],
    ['2001:DB8::7', '2001:db8::7'],
    ['2001:db8::/48', '2001:db8::/48'],
    ['2001:db8::7/128', '2001:db8::7'],
    ['fe80::1%eth0/64', 'fe80::1/64'],
    ['203.0.113.0/33', undefined],
    ['2001:db8::/129', undefined],
    ['203.0.113.0/-1', undefined],
    ['203.0.113.0/', undefined],
    ['203.0.113/24', undefined],
    ['203.0.113.0/24/8', undefined],
    ['example.com', undefined],
    ['', undefined]
  ] as const) {
    t.equal(canonicalNetwork(text), network, text)
  }
})
