import t from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../db/client.ts'
import { actionNames } from '../../db/schema/actions.ts'
import { activity } from '../../db/schema/activity.ts'
import { suggest } from '../../src/commands/activity-options.ts'
import { anonymous, aUser, password, servicesOf, testDatabaseUrl } from '../support/app.ts'
import { signIn } from '../support/sign-in.ts'
import { portal, runner } from './run.ts'

const url = await testDatabaseUrl(t)
const env = { DATABASE_URL: url }
const { ok, json, run } = runner(env)
const request = uuid()

// PGlite allows one process at a time.
const database = await openDatabase(url)
const ada = await aUser(database, 'ada@example.com')
const { session } = await signIn(
  servicesOf(database),
  { ...anonymous, ip: '203.0.113.7', requestId: request },
  { email: ada.email, password, presented: [] }
)
const old = { action: 'user.update', outcome: 'success', actorType: 'user', source: 'api' } as const
await database.db.insert(activity).values([
  { ...old, id: uuid(), ip: '203.0.113.200', at: new Date(Date.now() - 30 * 60_000) },
  { ...old, id: uuid(), ip: '198.51.100.1', at: new Date(Date.now() - 5 * 3_600_000) },
  { ...old, id: uuid(), ip: '203.0.113.9', at: new Date(Date.now() - 3 * 86_400_000) }
])
await database.close()

const listed = async (args: string) =>
  json(await ok(t, `activity list --json ${args}`)) as Record<string, string | null>[]

t.test('records are listed by address, network, session and request', async (t) => {
  for (const [args, count] of [
    ['--ip 203.0.113.7', 1],
    ['--ip 203.0.113.0/24', 3],
    ['--ip 0.0.0.0/0', 4],
    ['--ip 203.0.113.0/24 --action auth.login', 1],
    [`--session ${session.id}`, 1],
    [`--request ${request}`, 1],
    [`--request urn:uuid:${request.toUpperCase()}`, 1]
  ] as const) {
    t.equal((await listed(args)).length, count, args)
  }
  t.match(await listed(`--session ${session.id}`), [{ action: 'auth.login', ip: '203.0.113.7' }])
  t.match(json(await ok(t, 'activity summary --json --ip 203.0.113.0/24')).items.length, 3)
  for (const [args, says] of [
    ['--ip example.com', /Write an address or a network, such as 203\.0\.113\.0\/24/],
    ['--session ada', /An id looks like/],
    ['--request urn:uuid:1', /An id looks like/]
  ] as const) {
    t.match(await run(`activity list ${args}`), { code: 2, stderr: says }, args)
  }
})

t.test('the period of a list begins or ends so many minutes, hours or days ago', async (t) => {
  for (const [args, count] of [
    ['--from 10m', 1],
    ['--from 1h', 2],
    ['--from 2d', 3],
    ['--from 1w', 4],
    ['--from 2d --to 1h', 1],
    ['--to 7200s', 2]
  ] as const) {
    t.equal((await listed(`--ip 0.0.0.0/0 ${args}`)).length, count, args)
  }
  for (const bad of ['yesterday', '10x', '-1h', '999999w']) {
    t.match(await run(`activity list --from ${bad}`), { code: 2, stderr: /10m, 1h or 2d/ }, bad)
  }
})

t.test(
  'show takes the id of a request as refusals print it, and says when it left no record',
  async (t) => {
    const [login] = await listed(`--request ${request}`)
    for (const id of [request, `urn:uuid:${request}`, ` URN:UUID:${request.toUpperCase()}`]) {
      const { code, stdout } = await portal(['activity', 'show', id], { env })
      t.equal(code, 0, id)
      t.match(stdout, new RegExp(`^id +${login?.id}$`, 'm'))
      t.match(stdout, new RegExp(`^session id +${session.id}$`, 'm'))
    }
    t.match(json(await ok(t, `activity show ${request} --json`)), [{ id: login?.id }])
    t.match(json(await ok(t, `activity show ${login?.id} --json`)), { id: login?.id })
    const missing = uuid()
    t.match(await run(`activity show urn:uuid:${missing}`), {
      code: 3,
      stderr: new RegExp(`none was left by a request.*Search the log.*"reqId":"${missing}"`)
    })
  }
)

t.test('a sign-in shows the person, not only the session', async (t) => {
  t.match(await listed('--action auth.login'), [
    { targetType: 'session', targetId: session.id, targetName: 'ada@example.com' }
  ])
  t.match(
    (await ok(t, 'activity list --action auth.login')).stdout,
    /ada@\S+ +ada@example\.com +203/
  )
})

t.test('a wrong action suggests the nearest, and the help does not list all of them', async (t) => {
  t.match(await run('activity list --action auth.logn'), {
    code: 2,
    stderr: /No such action\. Did you mean auth\.login\? See: portal activity actions/
  })
  t.match(
    (await run('activity list --action totp')).stderr,
    /one of user\.totp-enrol, user\.totp-re/
  )
  t.notMatch((await run('activity list --action zzzzzz')).stderr, 'Did you mean')
  t.same(await listed('--action order.ship'), [], 'an action of an app, which has another noun')
  const help = (await ok(t, 'activity list --help')).stdout
  t.ok(help.split('\n').length < 45)
  t.notMatch(help, 'user.email-change-cancel')
  t.equal((await ok(t, 'activity actions')).stdout, `${actionNames.join('\n')}\n`)
  t.same(json(await ok(t, 'activity actions --json')), actionNames)
  t.same(suggest('', actionNames), [])
})

t.test('--json may come before the command, and other options say where they belong', async (t) => {
  for (const args of ['--json user list', 'user --json list', 'user list --json']) {
    t.match(json(await ok(t, args)), [{ email: 'ada@example.com' }], args)
  }
  const refused = await run('--json user show nobody@example.com')
  t.match(JSON.parse(refused.stderr), { error: { code: 'user-not-found' } })
  t.match(await run('--limit 5 user list'), { code: 2, stderr: /Options follow the command/ })
  t.notMatch((await run('user list --limt 5')).stderr, 'Options follow')
})

t.test('tail prints what the feed has, and goes on after a cursor', async (t) => {
  const tail = async (after: string) =>
    (await portal(['activity', 'tail', '--json', '--after', after], { env })).stdout
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { ip: string; cursor: string })
  const all = await tail('4d')
  const ips = ['203.0.113.9', '198.51.100.1', '203.0.113.200']
  t.same(
    all.slice(0, 3).map(({ ip }) => ip),
    ips
  )
  const rest = await tail(all[1]?.cursor ?? '')
  t.same(rest[0], all[2])
  t.match((await ok(t, 'activity tail --after 4d')).stdout, /TIME[^]*203\.0\.113\.9[^]*198\.51/)
  t.match((await run('activity tail --after yesterday')).stderr, 'is not a valid time')
})
