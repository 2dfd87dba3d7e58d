import t from 'tap'
import { aUser, onPglite, ownApp, until } from '../support/app.ts'
import { openDatabase } from '../../db/client.ts'
import { partitionActivity } from '../support/partitions.ts'
import { examined } from './doctor-run.ts'

const skip = onPglite && 'needs a server'

t.test(
  'doctor finds missing, invalid and different indexes, and migrate --repair builds them',
  { skip },
  async (t) => {
    const { client, finding, mend } = await examined(t)
    t.match(await finding('indexes'), { result: 'ok' })
    const definitions = async () => client`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition,
      indisvalid, indisprimary
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace order by name`
    const before = await definitions()

    await client`drop index sessions_token_hash, activity_at, users_email_normalized`
    await client`alter table jobs drop constraint jobs_pkey`
    await client`drop index sessions_user`
    await client`create index sessions_user on sessions (user_id)`
    await client`drop index roles_key`
    await client`create index roles_key on roles (key)`
    await client`drop index sessions_open`
    await client`create index sessions_open on sessions (created_at, id)`
    await client`drop index throttle_quick`
    await client`create index throttle_quick on tokens (expires_at)`
    await client`update pg_index set indisvalid = false where indexrelid = 'sessions_ended'::regclass`
    const found = await finding('indexes')
    t.match(found, {
      result: 'problem',
      finding:
        'missing: activity_at, jobs_pkey, sessions_token_hash, users_email_normalized; ' +
        'invalid: sessions_ended; ' +
        'different: roles_key, sessions_open, sessions_user, throttle_quick; ' +
        'without a unique index, equal values can be stored',
      todo: /^Run: portal migrate --repair$/m
    })
    const [repair] = await mend(found)
    t.match(repair, { code: 0 })
    t.match(repair?.stderr, 'Built the index sessions_token_hash, which was missing.')
    t.match(await finding('indexes'), { result: 'ok' })
    t.same(await definitions(), before)
    t.match((await mend(found))[0]?.stderr, 'All indexes are as in the schema.')
  }
)

t.test(
  'equal values that a unique index cannot have are named by their table',
  { skip },
  async (t) => {
    const { client, env, finding, mend, run } = await examined(t)
    const app = await ownApp(t, {}, await openDatabase(env.DATABASE_URL))
    const [one, other] = [await aUser(app.database), await aUser(app.database)]
    await client`drop index users_email_normalized`
    await client`update users set email_normalized = ${one.email} where id = ${other.id}`
    const [repair] = await mend(await finding('indexes'))
    t.match(repair, {
      code: 1,
      stderr:
        /unique, but some rows of users have equal values.*\n {2}SELECT "email_normalized", count/
    })
    const [, select = ''] = /(SELECT .*;)/.exec(repair?.stderr ?? '') ?? []
    t.match(await client.unsafe(select), [{ email_normalized: one.email, count: '2' }])
    await client`update users set email_normalized = ${other.email} where id = ${other.id}`
    t.equal((await run('migrate --repair')).code, 0, 'which also replaces the invalid index')
    t.match(await finding('indexes'), { result: 'ok' })
  }
)

t.test(
  'indexes of a partitioned activity are found and built for each partition',
  { skip },
  async (t) => {
    const { client, env, finding, mend } = await examined(t)
    await client`insert into activity (id, at, action, outcome, actor_type, source)
    select gen_random_uuid(), now() - n * interval '1 day', 'auth.login', 'success', 'system', 'job'
    from generate_series(1, 100) as n`
    const database = await openDatabase(env.DATABASE_URL)
    await partitionActivity(database)
    await database.close()
    t.match(await finding('indexes'), { result: 'ok' })
    await client`drop index activity_at, activity_id`
    await client`drop index activity_ip`
    await client`create index activity_ip on only activity (ip, at, id) where ip is not null`
    const found = await finding('indexes')
    t.match(found, {
      result: 'problem',
      finding: 'missing: activity_id, activity_at; invalid: activity_ip'
    })
    const [repair] = await mend(found)
    t.match(repair, { code: 0 })
    t.match(await finding('indexes'), { result: 'ok' })
    const parts = await client`select count(*)::int as count from pg_inherits
    where inhparent = 'activity_ip'::regclass`
    t.ok(parts[0]?.count > 12, 'one of each partition')
  }
)

const losses = {
  'the epoch of a shard': 'delete from epochs where scope = 7',
  'the epoch of the roles': 'delete from epochs where scope = 64',
  'the parts of a shard': 'delete from epoch_parts where scope = 7',
  'some numbers of a shard':
    'alter table epoch_parts drop constraint epoch_parts_numbers; ' +
    `update epoch_parts set numbers = '\\x00' where scope = 7`,
  everything: 'truncate epochs, epoch_parts'
}
for (const [what, statement] of Object.entries(losses)) {
  t.test(
    `doctor and readiness find that ${what} is missing, and refresh repairs it`,
    { skip },
    async (t) => {
      const { client, env, finding, mend } = await examined(t)
      const app = await ownApp(t, {}, await openDatabase(env.DATABASE_URL))
      const health = async () => {
        await app.readiness.look()
        const { statusCode, body } = await app.inject('/health')
        return [statusCode, JSON.parse(body).reason]
      }
      t.match(await finding('epochs'), { result: 'ok', finding: 'complete' })
      t.same(await health(), [200, undefined])

      await client.unsafe(statement)
      const found = await finding('epochs')
      t.match(found, { result: 'problem', finding: /^missing rows: \d+; / })
      await until(async () => (await health())[0] === 503)
      t.same(await health(), [503, 'epochs'])

      const [refresh] = await mend(found)
      t.match(refresh, { code: 0 })
      t.match(refresh?.stderr, /Added missing rows of the epochs: \d+\./)
      t.match(await finding('epochs'), { result: 'ok' })
      t.same(await health(), [200, undefined])
      const user = await aUser(app.database)
      t.ok(user.id, 'users can be changed')
    }
  )
}
