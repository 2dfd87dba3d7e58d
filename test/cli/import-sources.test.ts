import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import { openDatabase } from '../../db/client.ts'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { portal } from './run.ts'

const folder = temporaryFolder(t)
const file = (name: string, ...lines: unknown[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path.join(folder, name), text.join('\n'))
  return path.join(folder, name)
}
const salt = 'MDEyMzQ1Njc4OWFiY2RlZg'
const pbkdf2Key = 'rqRM8zWcxqR5JgdNH2Ukv6ZDL0xynSbmRCDsePeFnOo'
const argon2Key = 'jt+ObafphpJ5cw7IMbuyn2ptmpxlPzSMKtlj4qJunsw'
const argon2 = `$argon2id$v=19$m=4096,t=2,p=1$${salt}$${argon2Key}`
const django = 'pbkdf2_sha256$10000$saltsaltsalt1$v+IvClRrTcHVw43N1nyzZmMKaXIjdNQuk3b5+FHTcss='
const bcrypt = `$2a$10$${'a'.repeat(53)}`
const keycloak = (value: string, data: object) => ({
  type: 'password',
  secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
  credentialData: JSON.stringify(data)
})
const email = 'ada@example.com'
const createdAt = '2024-05-06T07:08:09.000Z'

/** A line of each export, and what it becomes. */
const samples: Record<string, { line: object; becomes: object }> = {
  'better-auth': {
    line: {
      email,
      name: 'Ada',
      emailVerified: true,
      createdAt,
      accounts: [
        { providerId: 'google', password: null },
        { providerId: 'credential', password: `${'0a'.repeat(16)}:${'1b'.repeat(64)}` }
      ]
    },
    becomes: { passwordHash: /^f1:scrypt-nfkc:16384\.16\.1:/ }
  },
  supabase: {
    line: {
      email,
      encrypted_password: bcrypt,
      email_confirmed_at: createdAt,
      created_at: createdAt,
      raw_user_meta_data: { full_name: 'Ada' }
    },
    becomes: { passwordHash: bcrypt }
  },
  keycloak: {
    line: {
      email,
      firstName: 'Ada',
      emailVerified: true,
      createdTimestamp: Date.parse(createdAt),
      credentials: [
        { type: 'otp' },
        keycloak(argon2Key, {
          algorithm: 'argon2',
          hashIterations: 2,
          additionalParameters: {
            type: ['id'],
            version: ['1.3'],
            memory: ['4096'],
            parallelism: ['1'],
            hashLength: ['32']
          }
        })
      ]
    },
    becomes: { passwordHash: `f1:argon2id:4096.1.2:${salt}:${argon2Key}` }
  },
  auth0: {
    line: { email, name: 'Ada', email_verified: true, created_at: createdAt, passwordHash: bcrypt },
    becomes: { passwordHash: bcrypt }
  },
  clerk: {
    line: {
      primary_email_address: email,
      verified_email_addresses: email,
      first_name: 'Ada',
      password_digest: bcrypt
    },
    becomes: { passwordHash: bcrypt }
  },
  logto: {
    line: {
      primary_email: email,
      name: 'Ada',
      created_at: createdAt,
      password_encrypted: argon2
    },
    becomes: { passwordHash: /^f1:argon2id:/ }
  },
  directus: {
    line: { email, first_name: 'Ada', status: 'active', password: argon2 },
    becomes: { passwordHash: /^f1:argon2id:/, emailVerifiedAt: null }
  },
  django: {
    line: {
      model: 'auth.user',
      fields: {
        email,
        first_name: 'Ada',
        password: django,
        is_active: true,
        date_joined: createdAt
      }
    },
    becomes: { passwordHash: /^f1:pbkdf2-sha256:10000:/, emailVerifiedAt: null }
  }
}

async function storedUser(url: string) {
  const { db, close } = await openDatabase(url)
  const [row] = await db.select().from(users).where(eq(users.emailNormalized, email))
  await close()
  return row
}

for (const [source, { line, becomes }] of Object.entries(samples)) {
  t.test(`an export of ${source} is imported with its passwords`, async (t) => {
    const url = await testDatabaseUrl(t)
    const input = file(`${source}.ndjson`, line)
    const run = await portal(['import', 'users', input, '--from', source], {
      env: { DATABASE_URL: url }
    })
    t.equal(run.code, 0, run.stderr)
    const row = await storedUser(url)
    t.match(row, { email, name: 'Ada', status: 'active', ...becomes })
    if (!('emailVerifiedAt' in becomes)) t.ok(row?.emailVerifiedAt)
  })
}

const parameters = file(
  'firebase.txt',
  `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`
)
const wrongParameters = file(
  'wrong.txt',
  `base64_signer_key: ${Buffer.alloc(64).toString('base64')}, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14`
)
const firebase = file('firebase.ndjson', {
  localId: 'x',
  email,
  displayName: 'Ada',
  emailVerified: true,
  createdAt: '1714979289000',
  salt: '42xEC-ixf3L2lw==',
  passwordHash:
    'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ=='
})

t.test(
  'wrong parameters of a project show in the probe, before anything is imported',
  async (t) => {
    const url = await testDatabaseUrl(t)
    const env = { DATABASE_URL: url }
    const command = ['import', 'users', firebase, '--from', 'firebase', '--probe', email]
    const withFile = (name: string) => [...command, '--firebase-parameters', name]
    const missing = await portal([...command, '--password-file', '-'], { env, input: 'x' })
    t.match(missing, { code: 2, stderr: /needs --firebase-parameters/ })
    for (const [name, input] of [
      [wrongParameters, 'user1password'],
      [parameters, 'user2password']
    ] as const) {
      const refused = await portal([...withFile(name), '--password-file', '-'], { env, input })
      t.match(refused, { code: 2, stderr: /does not match\. Nothing was imported/ })
      t.equal(await storedUser(url), undefined)
    }
    const given = { env, input: 'user1password' }
    const run = await portal([...withFile(parameters), '--password-file', '-'], given)
    t.equal(run.code, 0, run.stderr)
    t.match(await storedUser(url), { name: 'Ada', passwordHash: /^f1:firebase:16384\.8\.1:/ })
  }
)

t.test('a hash that is not safe rejects its line, or is left out on request', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const weak = keycloak(pbkdf2Key, { algorithm: 'pbkdf2', hashIterations: 27_500 })
  const input = file('weak.ndjson', { email, firstName: 'Ada', credentials: [weak] })
  const command = ['import', 'users', input, '--from', 'keycloak']
  const refused = await portal(command, { env })
  t.match(refused, { code: 1, stderr: /line 1: .*PBKDF2 with SHA-1/ })
  t.equal(await storedUser(env.DATABASE_URL), undefined)
  t.equal((await portal([...command, '--drop-unsafe-hashes'], { env })).code, 0)
  t.match(await storedUser(env.DATABASE_URL), { passwordHash: null })
})

t.test('users whose passwords were not replaced yet are listed and counted', async (t) => {
  const env = { DATABASE_URL: await testDatabaseUrl(t) }
  const input = file(
    'plain.ndjson',
    { email, name: 'Ada', passwordHash: argon2 },
    { email: 'grace@example.com', name: 'Grace', passwordHash: bcrypt },
    { email: 'joan@example.com', name: 'Joan', passwordHash: argon2 }
  )
  t.equal((await portal(['import', 'users', input], { env })).code, 0)
  t.match(await portal(['import', 'users', input], { env }), { stderr: /skipped 3 existing/ })
  const listed = await portal(['user', 'list', '--foreign-hash', '--json'], { env })
  t.same(
    JSON.parse(listed.stdout).map((user: { name: string }) => user.name),
    ['Joan', 'Ada']
  )
  const without = file('without.ndjson', {
    email: 'alan@example.com',
    name: 'Alan',
    passwordHash: argon2
  })
  t.equal((await portal(['import', 'users', without, '--no-passwords'], { env })).code, 0)
  t.equal(
    JSON.parse((await portal(['user', 'list', '--foreign-hash', '--json'], { env })).stdout).length,
    2
  )
  t.match((await portal(['doctor'], { env })).stdout, /2 still in the form of another system/)
})
