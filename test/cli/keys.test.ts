import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { keyForm } from '../../src/domain/keys/key-form.ts'
import { aRole, aUser, ownApp, testDatabaseUrl } from '../support/app.ts'
import { fillKeys, keyCaller } from '../support/keys.ts'
import { portal } from './run.ts'

const DATABASE_URL = await testDatabaseUrl(t)
const run = (...args: string[]) => portal(args, { env: { DATABASE_URL } })
const database = await openDatabase(DATABASE_URL, { poolMax: 3 })
const app = await ownApp(t, {}, database)
const role = await aRole(database, 'users:read')

t.test('a service is created, gets a role and a key, and loses them', async (t) => {
  t.match(await run('service', 'create', 'reporting', '--name', 'Reporting'), { code: 0 })
  t.match(await run('service', 'grant', 'reporting', role), { code: 0, stderr: /Done/ })
  t.match(JSON.parse((await run('service', 'show', 'reporting', '--json')).stdout), {
    key: 'reporting',
    roles: [role],
    permissions: ['users:read']
  })
  const created = await run('key', 'create', '--service', 'reporting', '--days', '7')
  t.equal(created.code, 0, created.stderr)
  const secret = created.stdout.trim()
  t.equal(created.stdout, `${secret}\n`, 'stdout has the key alone')
  t.match(secret, keyForm)
  t.notMatch(created.stderr, secret)
  t.match((await keyCaller(app, secret).me()).json(), {
    owner: { label: 'reporting' },
    permissions: ['users:read']
  })
  const [listed] = JSON.parse((await run('key', 'list', '--json')).stdout)
  t.match(listed, { owner: { label: 'reporting' }, state: 'active', lastFour: secret.slice(-4) })
  t.notOk(JSON.stringify(listed).includes(secret))
  t.match((await run('key', 'list', '--service', 'reporting')).stdout, `…${secret.slice(-4)}`)

  t.match(await run('service', 'deactivate', 'reporting'), { code: 0 })
  t.equal((await keyCaller(app, secret).me()).statusCode, 401)
  t.match(await run('service', 'reactivate', 'reporting'), { code: 0 })
  t.equal((await keyCaller(app, secret).me()).statusCode, 200)
  t.match(await run('service', 'update', 'reporting', '--name', 'Reports'), { code: 0 })
  t.match((await run('service', 'list')).stdout, /reporting +Reports/)
  t.match(await run('key', 'revoke', listed.id), { code: 0, stderr: /Revoked/ })
  t.equal((await keyCaller(app, secret).me()).statusCode, 401)
  t.match(await run('key', 'revoke', listed.id), { code: 3 })
  t.match(await run('service', 'revoke', 'reporting', role), { code: 0 })
  t.match(await run('service', 'delete', 'reporting', '--yes'), { code: 0 })
  t.match(await run('service', 'show', 'reporting'), { code: 3 })
})

t.test(
  'key revoke --user ends all keys of a user, also while the account is deactivated',
  async (t) => {
    const user = await aUser(database)
    await fillKeys(database, { userId: user.id }, 2)
    await run('user', 'deactivate', user.email)
    t.match(await run('key', 'revoke', '--user', user.email, '--json'), {
      code: 0,
      stdout: '{"revoked":2}\n'
    })
    await run('user', 'reactivate', user.email)
    const { stdout } = await run('key', 'list', '--user', user.email, '--json')
    t.same(
      (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state),
      ['revoked', 'revoked']
    )
    t.match(await run('key', 'revoke'), { code: 2, stderr: /either the id of a key or --user/ })
  }
)

t.test('a key can be limited, and printed as JSON', async (t) => {
  await run('service', 'create', 'limited', '--name', 'Limited')
  await run('service', 'grant', 'limited', role)
  const { stdout } = await run(
    ...['key', 'create', '--service', 'limited', '--json', '--name', 'Nightly'],
    ...['--permission', 'users:read', '--network', '192.0.2.0/24', '--network', '2001:db8::/32']
  )
  t.match(JSON.parse(stdout), {
    name: 'Nightly',
    permissions: ['users:read'],
    networks: ['192.0.2.0/24', '2001:db8::/32'],
    secret: keyForm
  })
  const wrong = await run('key', 'create', '--service', 'limited', '--network', '192.0.2.0/99')
  t.match(wrong, { code: 2, stdout: '', stderr: /192\.0\.2\.0\/24/ })
  const days = await run('key', 'create', '--service', 'limited', '--days', '366')
  t.match(days, { code: 2, stdout: '' })
  const both = await run('key', 'list', '--service', 'limited', '--user', 'ada@example.com')
  t.match(both, { code: 2 })
})

t.test(
  'doctor reports keys that end soon or are not used, and services that may do everything',
  async (t) => {
    const findings = async () => {
      const { stdout } = await run('doctor', '--json')
      const all = JSON.parse(stdout) as { check: string; finding: string }[]
      return all.filter(({ check }) => check === 'API keys').map(({ finding }) => finding)
    }
    t.same(await findings(), ['1 active'])
    await run('service', 'create', 'mighty', '--name', 'Mighty')
    await run('service', 'grant', 'mighty', 'admin')
    await run('key', 'create', '--service', 'mighty', '--days', '10', '--name', 'short')
    await run('key', 'create', '--service', 'mighty', '--days', '300', '--name', 'unused')
    await database.db
      .update(apiKeys)
      .set({ createdAt: sql`now() - interval '91 days'` })
      .where(eq(apiKeys.name, 'unused'))
    t.same(await findings(), [
      '1 of 3 expire within 14 days',
      '1 of 3 were not used for 90 days',
      'the role admin belongs to services: mighty'
    ])
  }
)
