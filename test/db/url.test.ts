// Not on PGlite: it uses no database.

import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { openConnections } from '../../db/postgres/pool.ts'
import { parseServerUrl, serverUrlProblem } from '../../db/url.ts'

t.test('a URL is parsed and decoded for the driver', async (t) => {
  t.match(
    parseServerUrl(
      'postgres://u%40x:p%2F%25:w@db.example.com:5433/por%20tal?sslmode=verify-full&jit=off'
    ),
    {
      hosts: [{ name: 'db.example.com', port: 5433 }],
      user: 'u@x',
      password: 'p/%:w',
      database: 'por tal',
      sslmode: 'verify-full',
      settings: { jit: 'off' }
    }
  )
  t.match(
    parseServerUrl('postgresql://[::1]:6000,db_b,10.0.0.2:1/x?target_session_attrs=primary').hosts,
    [
      { name: '::1', port: 6000 },
      { name: 'db_b', port: undefined },
      { name: '10.0.0.2', port: 1 }
    ]
  )
  t.match(parseServerUrl('postgres:///x?sslmode=disable'), {
    hosts: [],
    user: undefined,
    sslmode: false
  })
  t.same(
    parseServerUrl('postgres://h/x?target_session_attrs=read-write&connect_timeout=3').settings,
    {}
  )
})

const wrong: [url: string, says: RegExp][] = [
  ['postgres://u:12/Secret@host/db', /percent-encoded/],
  ['postgres://u:12?Secret@host/db', /percent-encoded/],
  ['postgres://u:12#Secret@host/db', /percent-encoded/],
  ['postgres://u:Sec@ret@host/db', /percent-encoded/],
  ['postgres://u:Sec ret@host/db', /percent-encoded/],
  ['postgres://u:Secret@host:port/db', /percent-encoded/],
  ['postgres://u:Secret@[host/db', /percent-encoded/],
  ['postgres://u:Secret@[1:2]/db', /percent-encoded/],
  ['postgres://u:Secret@a,,b/db?target_session_attrs=primary', /percent-encoded/],
  ['postgres://u:Secret@host:99999/db', /port from 1 to 65535/],
  ['postgres://u:Secret%zz@host/db', /write %25/],
  ['postgres://u:Secret@host/db?application_name=%zz', /write %25/],
  ['postgres://u:Secret@host/db?sslmode=verify_full', /verify-full/],
  ['postgres://u:Secret@a,b/db', /several hosts: add target_session_attrs=primary/],
  ['postgres://u:Secret@a,b/db?target_session_attrs=any', /target_session_attrs=primary/],
  ['postgres://u@a/db?ssl=Secret', /ssl: write sslmode instead/],
  ['postgres://u@a/db?sslrootcert=Secret', /NODE_EXTRA_CA_CERTS/],
  ['postgres://u@a/db?sslkey=Secret', /client certificates/],
  ['postgres://a/db?user=Secret', /user: write it before the host/],
  ['postgres://u@a/db?password=Secret', /password: write it before the host/],
  ['postgres://u@a/db?host=Secret', /host: write it after the @/],
  ['postgres://u@a/db?port=Secret', /port: write it after the host/],
  ['postgres://u@a/?dbname=Secret', /dbname: write it after the host/],
  ['postgres://u@a/db?prepare=Secret', /DATABASE_PREPARE/],
  ['postgres://u@a/db?max=Secret', /DATABASE_POOL_MAX/],
  ['postgres://u@a/db?channel_binding=Secret', /channel_binding: remove it/],
  ['postgres://u:Secret@%2Fvar%2Frun/db', /PGHOST/],
  ['postgres://u:Secret@a/db?target_session_attrs=prefer-standby', /target_session_attrs=primary/]
]
for (const [url, says] of wrong) {
  t.test(`${url} is rejected with one line that does not contain its password`, async (t) => {
    const problem = serverUrlProblem(url)
    t.match(problem, says)
    t.notMatch(problem, /Secret|Sec ret|\n/)
    await t.rejects(openDatabase(url), {
      name: 'DatabaseUnusable',
      message: `DATABASE_URL ${problem}`
    })
    await t.rejects(openDatabase('postgres://u@127.0.0.1/x', { migrationUrl: url }), {
      name: 'DatabaseUnusable',
      message: `MIGRATION_DATABASE_URL ${problem}`
    })
  })
}

t.test(
  'the label of a database contains its hosts and name, never the user or the password',
  async (t) => {
    const database = await openDatabase(
      'postgres://who:Secret%2F@db-a:5433,db-b/x?target_session_attrs=primary'
    )
    t.teardown(() => database.close())
    t.equal(database.label, 'PostgreSQL at db-a:5433,db-b/x')
  }
)

t.test('a password outside the URL is taken from PGPASSWORD, unchanged', async (t) => {
  t.teardown(() => {
    delete process.env.PGPASSWORD
  })
  process.env.PGPASSWORD = 'a/b@c?d#e%'
  const settings = { max: 1, name: 'test', prepare: true }
  const { options } = openConnections(
    parseServerUrl('postgres://portal@database:5432/portal'),
    settings
  )
  t.equal(options.pass, 'a/b@c?d#e%')
})

t.test('a database is local when the host that the driver uses is local', async (t) => {
  const before = process.env.PGHOST
  t.teardown(() => {
    if (before === undefined) delete process.env.PGHOST
    else process.env.PGHOST = before
  })
  const about = async (host: string, url: string) => {
    process.env.PGHOST = host
    const { local, label, close } = await openDatabase(url)
    await close()
    return { local, label }
  }
  const url = 'postgres:///x'
  t.same(await about('db.example.com', url), {
    local: false,
    label: 'PostgreSQL at db.example.com/x'
  })
  t.same(await about('127.0.0.1', url), { local: true, label: 'PostgreSQL at 127.0.0.1/x' })
  t.same(await about('', url), { local: true, label: 'PostgreSQL at localhost/x' })
  t.same(await about('/run/postgresql', url), {
    local: true,
    label: 'PostgreSQL at the local socket/x'
  })
  t.equal((await about('db.example.com', 'postgres://localhost/x')).local, true)
})
