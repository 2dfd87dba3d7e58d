import { sql } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { activity } from '../../../../db/schema/activity.ts'
import { listActivity } from '../../../../src/domain/activity/list.ts'
import { aCaller, callerOf, aUser, onPglite, testApp, testDatabase } from '../../../support/app.ts'
import { rejectsQueries } from '../../../support/scenarios.ts'

const app = await testApp(t, { ACTIVITY_RETENTION_DAYS: 36_500 })
const { call } = await aCaller(app, 'admin')
type Item = Record<string, string | null>

/** All pages of a list of seven records each. */
async function walk(query: URLSearchParams) {
  const walked: Item[] = []
  let url: string | undefined = `/api/admin/activity?${query}`
  while (url) {
    const response = await call('GET', url)
    walked.push(...response.json().items)
    url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
  }
  return walked
}

t.test(
  'records are found by address, network, session and request, with other filters',
  async (t) => {
    const user = await aUser(app.database)
    const [session, request] = [uuid(), uuid()]
    const addresses = [
      '203.0.113.7',
      '203.0.113.200',
      '203.0.114.1',
      '2001:db8:1::7',
      '2001:db8:2::7'
    ]
    const start = Date.parse('2026-01-01T00:00:00Z')
    await app.db.insert(activity).values(
      Array.from({ length: 120 }, (_, n) => ({
        id: uuid(),
        at: new Date(start + Math.floor(n / 3) * 3_600_000), // three share each moment
        action: n % 2 ? 'flag.update' : 'user.update',
        outcome: n % 7 ? ('success' as const) : ('failure' as const),
        actorType: 'user' as const,
        actorId: n % 3 ? user.id : null,
        ip: addresses[n % 5] ?? null,
        sessionId: n % 4 ? session : null,
        requestId: n % 5 > 2 ? request : uuid(),
        source: 'api' as const
      }))
    )
    const inSpan = { from: '2025-12-31T00:00:00Z', to: '2026-01-31T00:00:00Z' }
    const everything = await walk(new URLSearchParams({ ...inSpan, limit: '200' }))
    t.equal(everything.length, 120)
    const inside = (prefix: string) => (item: Item) => item.ip?.startsWith(prefix) ?? false
    const networks: [string, (item: Item) => boolean][] = [
      ['203.0.113.7', inside('203.0.113.7')],
      ['203.0.113.0/24', inside('203.0.113.')],
      ['203.0.113.9/24', inside('203.0.113.')],
      ['203.0.112.0/22', inside('203.0.11')],
      ['0.0.0.0/0', inside('203.')],
      ['2001:DB8:1::7', inside('2001:db8:1:')],
      ['2001:db8:1::/48', inside('2001:db8:1:')],
      ['198.51.100.0/24', () => false]
    ]
    const choices: [string, string, (item: Item) => boolean][] = [
      ['sessionId', session, (item) => item.sessionId === session],
      ['requestId', request, (item) => item.requestId === request],
      ['outcome', 'failure', (item) => item.outcome === 'failure'],
      ['actorId', user.id, (item) => item.actorId === user.id]
    ]
    for (let set = 0; set < 2 ** choices.length; set++) {
      const [ip, isIn] = networks[set % networks.length] ?? ['', () => false]
      for (const byAddress of [false, true]) {
        const chosen = [
          ...choices.filter((_, n) => set & (1 << n)),
          ...(byAddress ? [['ip', ip, isIn] as const] : [])
        ]
        const query = new URLSearchParams([
          ...Object.entries(inSpan),
          ...chosen.map(([name, value]) => [name, value] as [string, string]),
          ['limit', '7'],
          ['sort', set % 2 ? 'at' : '-at']
        ])
        const expected = everything.filter((item) => chosen.every(([, , lets]) => lets(item)))
        t.same(
          (await walk(query)).map(({ id }) => id),
          (set % 2 ? expected.toReversed() : expected).map(({ id }) => id),
          String(query)
        )
      }
    }
    const { items } = (
      await call(
        'GET',
        `/api/admin/activity/summary?${new URLSearchParams({ ...inSpan, bucket: 'day', ip: '203.0.113.0/24' })}`
      )
    ).json() as { items: { count: number }[] }
    t.equal(
      items.reduce((sum, { count }) => sum + count, 0),
      48
    )
  }
)

t.test('a text that is neither address nor network is rejected by name', async (t) => {
  const wrong = ['203.0.113', '203.0.113.0/33', 'example.com', '1.2.3.4,1.2.3.5', "1.2.3.4'--"]
  const queries = (prefix: string) =>
    wrong.map((ip) => [`${prefix}ip=${encodeURIComponent(ip)}`, '/query/ip malformed'] as const)
  await rejectsQueries(t, call, '/api/admin/activity', queries(''))
  await rejectsQueries(t, call, '/api/admin/activity/summary', queries('bucket=day&'))
})

t.test('a session lists its sign-in, what was done in it, and its end', async (t) => {
  const user = await aUser(app.database)
  const first = await callerOf(app, user)
  const other = await callerOf(app, user)
  const sessions = (await first.call('GET', '/api/user/sessions')).json().items as {
    id: string
    current: boolean
  }[]
  const id = sessions.find(({ current }) => current)?.id ?? ''
  t.equal((await first.call('PUT', '/api/user/theme', { theme: 'dark' })).statusCode, 200)
  t.equal((await other.call('PUT', '/api/user/theme', { theme: 'light' })).statusCode, 200)
  t.equal((await other.call('DELETE', `/api/user/sessions/${id}`)).statusCode, 204)
  const { items } = (await call('GET', `/api/admin/activity?sessionId=${id}&sort=at`)).json()
  t.match(items, [
    { action: 'auth.login', sessionId: id, targetId: id, actorLabel: user.email },
    { action: 'user.update', sessionId: id, targetId: user.id },
    { action: 'session.revoke', targetId: user.id, details: { sessionId: id } }
  ])
  t.equal(items.length, 3)
})

t.test('a user does not see in which session somebody else acted on their account', async (t) => {
  const { user, call: own } = await aCaller(app)
  t.equal((await call('PATCH', `/api/admin/users/${user.id}`, { name: 'Ada' })).statusCode, 200)
  const { items } = (await own('GET', '/api/user/activity')).json() as { items: Item[] }
  t.match(items[0], { action: 'user.update', actorId: null, sessionId: null })
  t.match(items[1], { action: 'auth.login', sessionId: /-/ })
})

if (!onPglite) {
  t.test('a network is read through the index of addresses', async (t) => {
    const { db } = await testDatabase(t)
    await db.execute(sql`insert into activity (id, action, outcome, actor_type, ip, source)
      select gen_random_uuid(), 'auth.login', 'failure', 'anonymous', '10.0.0.0'::inet + n * 97, 'api'
      from generate_series(1, 20000) as n`)
    await db.execute(sql`analyze activity`)
    const plan = await db.execute(sql`explain select id from activity
      where ip <<= ${'10.1.2.0/24'}::inet offset 0`)
    t.match(JSON.stringify(plan), /activity_ip/)
    const { items } = await listActivity(db, { ip: '10.1.2.0/24', sort: '-at', limit: 50 })
    t.same(
      items.map(({ ip }) => ip?.slice(0, 7)),
      Array(3).fill('10.1.2.')
    )
  })
}
