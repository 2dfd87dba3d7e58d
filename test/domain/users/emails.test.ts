// Not on PGlite: it uses no database.

import t from 'tap'
import { normalizeEmail } from '../../../src/domain/users/emails.ts'

const addresses: [string, string | undefined][] = [
  ['Ada@Example.COM', 'ada@example.com'],
  ["o'hara+tag@example.co.uk", "o'hara+tag@example.co.uk"],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['admin@portal.localhost', 'admin@portal.localhost'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['аррle@example.com', undefined], // Cyrillic before the @
  ['\u212aate@example.com', undefined], // the Kelvin sign folds to k in Unicode
  ['ada', undefined],
  ['@example.com', undefined],
  ['ada@', undefined],
  ['ada@localhost', undefined],
  ['ada@example.com.', undefined],
  ['ada@127.0.0.1', undefined],
  ['ada@[127.0.0.1]', undefined],
  ['ada@-example.com', undefined],
  [`ada@${'a'.repeat(64)}.com`, undefined],
  [`${'a'.repeat(65)}@example.com`, undefined],
  ['a b@example.com', undefined],
  ['"a"@example.com', undefined],
  ['.ada@example.com', undefined],
  ['ada..b@example.com', undefined],
  ['ada@exa mple.com', undefined],
  ['ada@example.com\r\nbcc: x', undefined],
  ['ada@a@example.com', undefined]
]
for (const [address, normalized] of addresses) {
  t.test(
    `${JSON.stringify(address.slice(0, 40))} is ${normalized ? '' : 'not '}an e-mail address`,
    async (t) => {
      t.equal(normalizeEmail(address), normalized)
    }
  )
}
