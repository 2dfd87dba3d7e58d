import { hash } from '@node-rs/bcrypt'
import t from 'tap'
import { foreignHashForm } from '../../../db/schema/users.ts'
import { acceptHash } from '../../../src/domain/administration/import-lines.ts'
import { matchesForeign } from '../../../src/domain/passwords/foreign-comparison.js'
import { firebaseHash, storedForm } from '../../../src/domain/passwords/foreign-forms.ts'

const password = 'correct horse battery'
const salt = 'MDEyMzQ1Njc4OWFiY2RlZg'
const key = 'rqRM8zWcxqR5JgdNH2Ukv6ZDL0xynSbmRCDsePeFnOo'

// Made with Passlib 1.7, Django, argon2-cffi and Python's hashlib, each with this password.
const vectors: [system: string, text: string, password?: string][] = [
  ['Passlib, PBKDF2 with SHA-256', `$pbkdf2-sha256$10000$${salt}$${key}`],
  ['PHC, PBKDF2 with SHA-256', `$pbkdf2-sha256$i=10000,l=32$${salt}$${key}`],
  [
    'Passlib, PBKDF2 with SHA-512',
    '$pbkdf2-sha512$10000$./v7./v7./v7./v7./v7.w$xpGzTmZNYIQyFfyW/SIBv0l7dfBkBobkMY9Q0GJJsJe88gs' +
      'I4zm/ADa9E6DXC290g0j2ndE9mhwCN7g79WvYHw'
  ],
  ['Passlib, scrypt', `$scrypt$ln=12,r=8,p=1$${salt}$1NdiUFsPOMLP4vAV72BPXbc2QAIqjCpT3FqIc76ESZc`],
  ['Django', 'pbkdf2_sha256$10000$saltsaltsalt1$v+IvClRrTcHVw43N1nyzZmMKaXIjdNQuk3b5+FHTcss='],
  [
    'ASP.NET Identity 3 with SHA-256',
    'AQAAAAEAACcQAAAAEGZlZGNiYTk4NzY1NDMyMTCp/1B0SC5Nzq5KSBA2xk2PqKetL2Sg7XGR17fBgzy4Sg=='
  ],
  [
    'ASP.NET Identity 3 with SHA-512',
    'AQAAAAIAACcQAAAAEGZlZGNiYTk4NzY1NDMyMTA4uMXbWDSJXVDokyGNcUx+bvW59MjIKkvig9uaXewRhQ=='
  ],
  [
    'better-auth, which compares the compatibility form',
    '00112233445566778899aabbccddeeff:7a3d6898cc1827b67025c59153e5a986874c143920d6ced1696c28a5a6b' +
      '03cbeb7f163e03a25099f1039a85851d01a38fa1f9a5bda6ca6d4b6ee1a8db3de87f1',
    'correct ﬁne battery'
  ],
  ['Argon2id', `$argon2id$v=19$m=4096,t=2,p=1$${salt}$jt+ObafphpJ5cw7IMbuyn2ptmpxlPzSMKtlj4qJunsw`],
  [
    'Argon2i, as Logto makes it',
    `$argon2i$v=19$m=8192,t=8,p=1$${salt}$bEx0yKRy9ACuOsYrcb0LZtJD0Q6oCOsV3h50SQYbypA`
  ],
  [
    'Argon2id with 64 MiB, as Directus makes it',
    `$argon2id$v=19$m=65536,t=3,p=4$${salt}$UiBIPUuhY3xdXfQ7N3p/au05phWWk9ACmj5PdtUGaas`
  ]
]

for (const [system, text, typed = password] of vectors) {
  t.test(`a hash of ${system} matches its password only`, async (t) => {
    const stored = storedForm(text)
    t.match(stored, foreignHashForm)
    t.equal(storedForm(stored), stored, 'its stored form is accepted as well')
    t.equal(await matchesForeign(typed, stored), true)
    t.equal(await matchesForeign(`${typed} `, stored), false)
    t.equal(await matchesForeign('', stored), false)
  })
}

// Published by Firebase with its implementation of scrypt.
const firebase = {
  signerKey:
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14
}
const ofFirebase = {
  salt: '42xEC+ixf3L2lw==',
  passwordHash:
    'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
}

t.test('the hash that Firebase published matches its password only', async (t) => {
  const stored = firebaseHash(ofFirebase, firebase)
  t.match(stored, foreignHashForm)
  t.equal(await matchesForeign('user1password', stored), true)
  t.equal(await matchesForeign('user2password', stored), false)
  const other = firebaseHash(ofFirebase, { ...firebase, rounds: 7 })
  t.equal(await matchesForeign('user1password', other), false)
  const { signerKey } = firebase
  t.notOk(stored.includes(signerKey.slice(0, 20)), 'the key of the project is not stored')
  for (const wrong of [{ memoryCost: 18 }, { memoryCost: 40 }, { rounds: 33 }]) {
    t.throws(() => firebaseHash(ofFirebase, { ...firebase, ...wrong }), { code: 'unsafe-hash' })
  }
})

t.test('bcrypt stays as it is', async (t) => {
  const text = await hash(password, 4)
  t.equal(storedForm(text), text)
  t.equal(storedForm(`h384:${text}`), `h384:${text}`)
})

const pbkdf2 = (iterations: number | string) => `$pbkdf2-sha256$${iterations}$${salt}$${key}`
const scrypt = (ln: number, r: number, p: number) => `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${key}`
const argon2 = (m: number | string, t: number | string, p: number | string) =>
  `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt}$${key}`
const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64').replaceAll('=', '')

t.test('parameters at the bounds are accepted, those beyond are not', async (t) => {
  for (const text of [
    pbkdf2(10_000),
    pbkdf2(2_000_000),
    scrypt(12, 8, 1),
    scrypt(16, 8, 1),
    scrypt(17, 4, 1),
    argon2(1024, 1, 1),
    argon2(65_536, 16, 4),
    argon2(4096, 256, 1),
    `$pbkdf2-sha256$10000$${bytes(8)}$${bytes(16)}`,
    `$pbkdf2-sha512$10000$${bytes(64)}$${bytes(64)}`
  ]) {
    t.match(storedForm(text), foreignHashForm, text)
  }
  for (const text of [
    pbkdf2(9999),
    pbkdf2(2_000_001),
    pbkdf2(2 ** 30),
    pbkdf2('-10000'),
    pbkdf2('0x10000'),
    pbkdf2('1e5'),
    pbkdf2(' 20000'),
    scrypt(11, 8, 1),
    scrypt(16, 8, 2),
    scrypt(18, 1, 1),
    scrypt(99, 8, 1),
    scrypt(14, 0, 1),
    argon2(1023, 1, 1),
    argon2(65_537, 1, 1),
    argon2(1_048_576, 1, 1),
    argon2(65_536, 17, 1),
    argon2(4096, 257, 1),
    argon2(4096, 1, 5),
    argon2('0x1000', 1, 1),
    argon2('-4096', 1, 1),
    argon2('', 1, 1),
    `$pbkdf2-sha256$10000$$${key}`,
    `$pbkdf2-sha256$10000$${bytes(7)}$${key}`,
    `$pbkdf2-sha512$10000$${bytes(65)}$${key}`,
    `$pbkdf2-sha512$10000$${salt}$${bytes(15)}`,
    `$pbkdf2-sha512$10000$${salt}$${bytes(65)}`,
    'f1:pbkdf2-sha256:9999:' + `${salt}:${key}`
  ]) {
    t.throws(() => storedForm(text), { code: 'unsafe-hash' }, text)
  }
})

t.test('hashes that are fast to compute are not accepted', async (t) => {
  for (const text of [
    'a'.repeat(32),
    'A'.repeat(40),
    'a'.repeat(64),
    'a'.repeat(128),
    'md5$salt$abc',
    'sha1$salt$abc',
    '$1$salt$abc',
    '{SSHA}abc',
    '$pbkdf2$10000$abc$abc',
    `AQAAAAAAACcQ${'A'.repeat(60)}`,
    `AA${'A'.repeat(64)}`
  ]) {
    t.throws(() => storedForm(text), { code: 'unsafe-hash' }, text)
  }
})

t.test('other text is not accepted, whatever its length', async (t) => {
  for (const text of [
    '',
    'plain',
    `$argon2d$v=19$m=4096,t=2,p=1$${salt}$${key}`,
    `$argon2id$v=16$m=4096,t=2,p=1$${salt}$${key}`,
    `$argon2id$m=4096,t=2,p=1$${salt}$${key}`,
    `$pbkdf2-sha256$10000$${salt}$${key}$more`,
    `$pbkdf2-sha256$10000$ä${salt}$${key}`,
    `pbkdf2_sha256$10000$salt$${key}$more`,
    '__proto__',
    '$__proto__$1$a$b',
    'x'.repeat(2 ** 20),
    `$pbkdf2-sha256$10000$${'a'.repeat(2 ** 20)}$${key}`
  ]) {
    t.throws(() => storedForm(text), { code: 'unknown-hash' }, text.slice(0, 60))
  }
})

t.test('bcrypt of a cost that is too high is unsafe, and not unknown', async (t) => {
  const of = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`
  t.equal(storedForm(of('15')), of('15'))
  for (const cost of ['16', '31', '03']) {
    t.throws(() => storedForm(of(cost)), { code: 'unsafe-hash' }, cost)
    t.equal(
      acceptHash(() => storedForm(of(cost)), { dropUnsafeHashes: true }),
      undefined
    )
  }
  t.throws(() => storedForm('$2b$16$short'), { code: 'unknown-hash' })
})
