import { sql } from 'drizzle-orm'
import t from 'tap'
import { portal, portalProcess } from '../cli/run.ts'
import {
  aCaller,
  aRole,
  onPglite,
  ownApp,
  testDatabase,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { aService, aServiceKey, keyCaller } from '../support/keys.ts'
import { leaksIn, storedText } from '../support/leaks.ts'
import { captureLog } from '../support/log-capture.ts'
import { hasProcessList, processesDuring } from '../support/process-list.ts'
import { deliverAtOnce } from '../support/mails.ts'

// API keys that pass through everything the portal does with them, and where they may be.

const { log, output } = captureLog('trace')
const database = await testDatabase(t)
const app = await ownApp(t, { TRUST_PROXY: ['127.0.0.1'] }, database, log)
deliverAtOnce(t, app)
const bodies: string[] = []
const keep = <T extends { body: string; headers: object }>(response: T) => {
  bodies.push(response.body, JSON.stringify(response.headers))
  return response
}

const admin = await aCaller(app, 'admin')
const creator = await aCaller(app, await aRole(database, 'keys:create'))
const created = await creator.call('POST', '/api/user/keys', { name: 'A key' })
const ofUser = created.json()
const service = await aService(database, 'user')
const path = `/api/admin/services/${service.key}`
const ofService = (await admin.call('POST', `${path}/keys`, { name: 'A key' })).json()
const abroad = await aServiceKey(database, service, { networks: ['192.0.2.1'] })
const gone = await aServiceKey(database, service)
await admin.call('DELETE', `/api/admin/keys/${gone.id}`)
const secrets = [ofUser, ofService, abroad, gone].map(({ secret }) => secret as string)
/** Parts of keys, as when one was cut or mistyped. */
const parts = secrets.map((secret) => secret.slice(7, 50))

for (const secret of secrets) {
  const { check, me } = keyCaller(app, secret)
  for (const query of ['', '&permission=users:read', '&assurance=2', '&audience=x']) {
    keep(await check(query))
  }
  keep(await check('', { cookie: admin.cookie }))
  keep(await check('', { authorization: `Bearer ${secret}x` }))
  keep(await me())
  keep(await me({ cookie: admin.cookie, 'user-agent': 'a job' }))
  keep(await app.inject({ url: `/api/machine/me?key=${secret}` }))
  keep(await app.inject({ url: `/${secret}` }))
  keep(await app.inject({ url: `/${secret.replaceAll('_', '%5F')}` }))
  keep(await app.inject({ url: `/api/admin/keys/${secret.slice(7)}` }))
  for (const call of [admin.call, creator.call]) {
    for (const url of [
      '/api/user/keys',
      '/api/user/activity',
      '/api/admin/keys',
      '/api/admin/activity?limit=200',
      `${path}/keys`,
      path,
      `/api/admin/keys?owner=${secret}`,
      `/api/admin/keys/${secret}`
    ]) {
      keep(await call('GET', url))
    }
    keep(await call('DELETE', `/api/user/keys/${secret}`))
    keep(await call('POST', '/api/user/keys', { name: secret, days: secret }))
  }
}
// An unexpected error, whose statement has the hash of a key as a parameter.
await database.db.execute(sql`alter table api_keys rename to elsewhere`)
for (const secret of secrets) keep(await keyCaller(app, `${secret}`).me())
await database.db.execute(sql`alter table elsewhere rename to api_keys`)

const leaked = (text: string) => leaksIn(text, [...secrets, ...parts])

t.test('the run used keys in many ways', async (t) => {
  t.ok(bodies.length > 150)
  t.match(created.body, ofUser.secret, 'a new key is shown once')
})

t.test('no other response, and no log line, has a key', async (t) => {
  t.same(leaked(bodies.join('\n')), [])
  t.match(output(), 'request failed')
  t.same(leaked(output()), [])
})

t.test('no table has a key: a dump opens nothing', async (t) => {
  await until(async () => /key\.use/.test(await storedText(database.db)))
  const text = await storedText(database.db)
  t.match(text, /key\.create/)
  t.same(leaked(text), [])
})

t.test(
  'the command line prints a key on stdout alone, and takes none as an argument',
  { skip: onPglite && 'the database belongs to this process' },
  async (t) => {
    const env = { DATABASE_URL: await testDatabaseUrl(t) }
    await portal(['service', 'create', 'job', '--name', 'Job'], { env })
    let secret = ''
    const work = async () => {
      const { code, stdout, stderr } = await portalProcess(['key', 'create', '--service', 'job'], {
        env
      })
      t.equal(code, 0, stderr)
      secret = stdout.trim()
      t.match(secret, /^portal_\S{50}$/)
      t.same(leaksIn(stderr, [secret, secret.slice(7, 50)]), [])
    }
    const processes = hasProcessList ? await processesDuring(work) : (await work(), [])
    if (hasProcessList) t.match(processes.join('\n'), /cli\.js key create --service job/)
    t.same(leaksIn(processes.join('\n'), [secret, secret.slice(7, 50)]), [])
    const list = await portal(['key', 'list', '--all', '--json'], { env })
    const records = await portal(['activity', 'list', '--all', '--json'], { env })
    t.match(records.stdout, 'key.create')
    t.same(leaksIn(list.stdout + records.stdout, [secret, secret.slice(7, 50)]), [])
    const [{ id }] = JSON.parse(list.stdout)
    t.equal((await portal(['key', 'revoke', id], { env })).code, 0)
  }
)
