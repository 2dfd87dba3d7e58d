import { randomBytes } from 'node:crypto'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { sweep } from '../../src/domain/jobs/sweep.ts'
import { onPglite, ownApp, until } from '../support/app.ts'
import { startMailServer } from '../mail/server.ts'
import { mailingPortal } from '../resilience/mailing.ts'
import { examined } from './doctor-run.ts'
import { portal } from './run.ts'

const skip = onPglite && 'needs a server'

t.test('doctor finds a connection limit below what an instance opens', { skip }, async (t) => {
  const { url, client, finding, mend } = await examined(t)
  const role = `limited_${randomBytes(6).toString('hex')}`
  await client.unsafe(`create role ${role} login connection limit 8`)
  t.teardown(async () => {
    await client.unsafe(`drop owned by ${role}; drop role ${role}`)
  })
  const limited = new URL(url)
  limited.username = role
  const env = { DATABASE_URL: limited.href }
  const found = await finding('connections', env)
  t.match(found, {
    result: 'warning',
    finding: `an instance opens up to 12 (DATABASE_POOL_MAX + 2), but the limit of the role ${role} is 8`
  })
  t.match(await finding('connections', { ...env, DATABASE_POOL_MAX: '6' }), { result: 'ok' })
  await mend(found)
  t.match(await finding('connections', env), { result: 'ok' })

  const [{ name } = {}] = await client`select current_database() as name`
  await client.unsafe(`alter database ${name} connection limit 11`)
  const second = await finding('connections', env)
  t.match(second, { result: 'warning', finding: `the limit of the database ${name} is 11` })
  await mend(second)
  t.match(await finding('connections', env), { result: 'ok' })
  const third = await finding('connections', { ...env, DATABASE_POOL_MAX: '900' })
  t.match(third, { result: 'warning', finding: /of the server is \d+$/ })
  t.match(third?.todo, 'ALTER SYSTEM SET max_connections = 912;')
})

t.test(
  'doctor finds jobs that have not run for long, until a server runs them',
  { skip },
  async (t) => {
    const { client, env, finding } = await examined(t)
    await client`delete from jobs`
    t.match(await finding('jobs'), { result: 'ok' }, 'none has ever run')
    await client`insert into jobs (name, began_at) values
    ('delete old mail', now() - interval '40 days'), ('delete expired tokens', 'epoch'),
    ('delete dead sessions', now()), ('of another release', 'epoch')`
    t.match(await finding('jobs'), {
      result: 'warning',
      finding:
        'not run for more than a day: delete old mail; did not finish: delete expired tokens',
      todo: /^Servers run them at their start/
    })
    await ownApp(t, {}, await openDatabase(env.DATABASE_URL)) // sweeps at its start
    await until(async () => (await finding('jobs'))?.result === 'ok')
  }
)

t.test('doctor finds a job whose last run failed', { skip }, async (t) => {
  const { client, env, finding } = await examined(t)
  await client`delete from jobs`
  await client`alter table outbox rename column state to condition`
  const database = await openDatabase(env.DATABASE_URL)
  t.teardown(() => database.close())
  const failed: string[] = []
  await sweep({
    db: database.db,
    recent: new Set(),
    retentionDays: 1,
    signal: new AbortController().signal,
    onDeleted: () => {},
    onError: (what) => failed.push(what)
  })
  t.same(failed, ['old mail'])
  await client`alter table outbox rename column condition to state`
  t.match(await finding('jobs'), { finding: 'did not finish: delete old mail' })
})

t.test(
  'doctor finds a system role that is none any more, or lacks permissions',
  { skip },
  async (t) => {
    const { client, finding, mend, run } = await examined(t)
    t.equal(await finding('role admin'), undefined)
    await client`update roles set system = false where key = 'admin'`
    const changed = await finding('role admin')
    t.match(changed, { result: 'problem', finding: /^not marked as a role of the portal/ })
    await mend(changed)
    t.equal(await finding('role admin'), undefined)

    await client`delete from role_permissions where permission_key in ('users:read', 'flags:read')`
    const lacking = await finding('role admin')
    t.match(lacking, { result: 'problem', finding: 'lacks permissions: users:read, flags:read' })
    t.same(
      (await mend(lacking)).map(({ code }) => code),
      [0, 0]
    )
    t.equal(await finding('role admin'), undefined)

    t.equal((await run('role revoke user name:update')).code, 0)
    t.match(await finding('role user'), {
      result: 'ok',
      finding: 'without name:update; to grant it again: portal role grant user name:update'
    })
  }
)

t.test(
  'doctor finds mail that waits because MAIL_URL is not set, and a server that has it sends the mail',
  { skip },
  async (t) => {
    const { url, env, client, finding } = await examined(t)
    const key = randomBytes(32)
    const keys = { SECRET_KEYS: [{ kid: 'k1', secret: key }] }
    const production = {
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'https://portal.example.com',
      TRUST_PROXY: '127.0.0.1',
      SECRET_KEYS: `k1:${key.toString('base64url')}`
    }
    const server = await startMailServer(t)
    server.play = () => 421
    const { app, recoverSomebody, tried } = await mailingPortal(t, server.url, keys, url)
    await recoverSomebody()
    await tried()
    await app.close()
    await client`update outbox set created_at = created_at - interval '1 hour', next_at = now()`
    t.match(await finding('mail', production), {
      result: 'warning',
      finding: /^1 waiting, the oldest for 36\d\d s.*, 0 dead, but MAIL_URL is not set/,
      todo: /^Set MAIL_URL and MAIL_FROM, then restart the servers\./
    })
    const mail = { MAIL_URL: server.url, MAIL_FROM: 'portal@example.com' }
    t.match(await finding('mail', { ...production, ...mail }), {
      todo: /then run: portal mail retry --pending$/
    })

    server.play = () => undefined
    await mailingPortal(t, server.url, keys, url)
    await server.received(1)
    await until(async () => (await finding('mail', production))?.result === 'ok')
    t.match(await portal(['mail', 'retry', '--pending'], { env }), { code: 0 }, 'as printed above')
  }
)
