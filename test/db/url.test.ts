import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { openConnections } from '../../db/connections.ts'
import { parseServerUrl, serverUrlProblem } from '../../db/url.ts'

t.test('a URL is taken apart into what the driver needs, decoded', async (t) => {
  t.match(parseServerUrl('postgres://u%40x:p%2F%25:w@db.example.com:5433/por%20tal?sslmode=verify-full&jit=off'), {
    hosts: [{ name: 'db.example.com', port: 5433 }],
    user: 'u@x',
    password: 'p/%:w',
    database: 'por tal',
    sslmode: 'verify-full',
    settings: { jit: 'off' }
  })
  t.match(parseServerUrl('postgresql://[::1]:6000,db_b,10.0.0.2:1/x?target_session_attrs=primary').hosts, [
    { name: '::1', port: 6000 }, { name: 'db_b', port: undefined }, { name: '10.0.0.2', port: 1 }
  ])
  t.match(parseServerUrl('postgres:///x?sslmode=disable'), { hosts: [], user: undefined, sslmode: false })
  t.same(parseServerUrl('postgres://h/x?target_session_attrs=read-write&connect_timeout=3').settings, {})
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
  ['postgres://u:Secret@a/db?target_session_attrs=prefer-standby', /target_session_attrs=primary/]
]
for (const [url, says] of wrong) {
  t.test(`${url} is rejected in one line without its secret`, async (t) => {
    const problem = serverUrlProblem(url)
    t.match(problem, says)
    t.notMatch(problem, /Secret|Sec ret|\n/)
    await t.rejects(openDatabase(url), { name: 'DatabaseUnusable', message: `DATABASE_URL ${problem}` })
    await t.rejects(openDatabase('postgres://u@127.0.0.1/x', { migrationUrl: url }), {
      name: 'DatabaseUnusable', message: `MIGRATION_DATABASE_URL ${problem}`
    })
  })
}

t.test('the label of a database has its hosts and its name, never the user or the password', async (t) => {
  const database = await openDatabase('postgres://who:Secret%2F@db-a:5433,db-b/x?target_session_attrs=primary')
  t.teardown(() => database.close())
  t.equal(database.label, 'PostgreSQL at db-a:5433,db-b/x')
})

t.test('a password outside of the URL comes from PGPASSWORD, as it is', async (t) => {
  t.teardown(() => { delete process.env.PGPASSWORD })
  process.env.PGPASSWORD = 'a/b@c?d#e%'
  const settings = { max: 1, name: 'test', prepare: true }
  const { options } = openConnections(parseServerUrl('postgres://portal@database:5432/portal'), settings)
  t.equal(options.pass, 'a/b@c?d#e%')
})
