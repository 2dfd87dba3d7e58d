import t from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
import { passkeyFinding } from '../../src/commands/schema-findings.ts'
import { loadConfig, loadOperatorConfig } from '../../src/config/config.ts'
import { rpIdOf } from '../../src/config/passkeys.ts'
import { aUser, testDatabase } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'
import { development, problemsOf, production } from './environments.ts'

t.test('passkeys are for the host of PUBLIC_ORIGIN, or for PASSKEY_RP_ID', async (t) => {
  const rpId = (env: Record<string, string>) => rpIdOf(loadConfig({ ...production, ...env }))
  t.equal(rpId({}), 'portal.example.com')
  t.equal(rpId({ PASSKEY_RP_ID: 'example.com' }), 'example.com')
  t.equal(rpId({ PASSKEY_RP_ID: 'portal.example.com' }), 'portal.example.com')
  t.equal(rpId({ PUBLIC_ORIGIN: 'http://localhost:3000' }), 'localhost')
  t.equal(rpId({ PASSKEYS: 'off' }), undefined)
  t.equal(rpIdOf(loadConfig(development)), 'localhost')
})

t.test('PASSKEY_RP_ID must cover every origin, and an address stops nothing', async (t) => {
  const env = { ...production, PASSKEY_RP_ID: 'portal.example.com' }
  const CORS_ORIGINS = 'https://app.example.com'
  t.match(problemsOf({ ...env, CORS_ORIGINS }), [
    /^PASSKEY_RP_ID must be the host of PUBLIC_ORIGIN/
  ])
  t.same(problemsOf({ ...env, CORS_ORIGINS, PASSKEY_RP_ID: 'example.com' }), [])
  t.match(problemsOf({ ...env, CORS_ORIGINS: '*' }), [/^CORS_ORIGINS /], 'reported once')
  for (const PUBLIC_ORIGIN of ['http://127.0.0.1:3000', 'https://192.0.2.7', 'http://[::1]']) {
    t.equal(rpIdOf(loadConfig({ ...production, PUBLIC_ORIGIN })), undefined)
  }
  const { DATABASE_URL } = production
  t.equal(
    loadOperatorConfig({ DATABASE_URL, PASSKEY_RP_ID: 'example.com' }).PASSKEY_RP_ID,
    undefined,
    'commands that do not know the origin do not judge it'
  )
})

t.test('doctor reports passkeys that nobody can use', async (t) => {
  const database = await testDatabase(t)
  const find = (changes: Parameters<typeof testConfig>[0] = {}) =>
    passkeyFinding(database.db, testConfig(changes))
  t.match(await find(), { result: 'ok', finding: '0, all for localhost' })
  t.match(await find({ PASSKEYS: 'off' }), { result: 'ok', finding: 'off' })
  t.match(await find({ CORS_ORIGINS: ['http://app.localhost:3000'] }), {
    result: 'warning',
    finding: /CORS_ORIGINS/
  })
  const { id: userId } = await aUser(database)
  const passkey = {
    userId,
    publicKey: Buffer.of(1),
    algorithm: -7,
    counter: 0,
    aaguid: userId,
    deviceType: 'single' as const,
    backedUp: false,
    name: 'Laptop'
  }
  await database.db.insert(passkeys).values(
    ['localhost', 'portal.example.com'].map((rpId) => ({
      ...passkey,
      id: crypto.randomUUID(),
      credentialId: Buffer.from(rpId),
      rpId
    }))
  )
  t.match(await find(), { result: 'warning', finding: /^1 of 2 are for a host name other/ })
  t.match(await find({ PASSKEYS: 'off' }), { result: 'warning', finding: /users have passkeys: 2/ })
  t.match(await find({ PUBLIC_ORIGIN: 'http://127.0.0.1:3000' }), {
    result: 'warning',
    finding: /IP address, but users have passkeys: 2/
  })
})
