import t from 'tap'
import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { activity } from '../../../../db/schema/activity.ts'
import { actions, record } from '../../../../src/domain/activity/record.ts'
import { deleteOldActivity } from '../../../../src/domain/activity/retention.ts'
import { ActivityDetails } from '../../../../src/schemas/activity.ts'
import { aCaller, aUser, operator, testApp, testDatabase, until } from '../../../helpers.ts'

const app = await testApp(t)
const { call, user: admin } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'

t.test('a record contains actor, action, target, origin and request', async (t) => {
  const user = await aUser(app.database)
  const response = await call(
    'PATCH',
    `/api/admin/users/${user.id}`,
    { name: 'Grace' },
    { 'user-agent': 'A test' }
  )
  const { items } = (await call('GET', `/api/admin/activity?targetId=${user.id}&limit=1`)).json()
  t.match(items, [
    {
      action: 'user.update',
      outcome: 'success',
      reason: null,
      actorType: 'user',
      actorId: admin.id,
      actorLabel: admin.email,
      targetType: 'user',
      targetId: user.id,
      ip: '127.0.0.1',
      userAgent: 'A test',
      requestId: response.headers['x-request-id'],
      source: 'api',
      details: { fields: ['name'] }
    }
  ])
  t.same((await call('GET', `/api/admin/activity/${items[0].id}`)).json(), items[0])
  t.match((await call('GET', `/api/admin/activity/${nobody}`)).json(), {
    status: 404,
    code: 'activity-record-not-found'
  })
  t.match((await call('GET', '/api/admin/activity/1')).json(), {
    status: 400,
    errors: [{ pointer: '/path/id' }]
  })
})

t.test('every combination of filters returns the matching records, page by page', async (t) => {
  const app = await testApp(t)
  const { call, user } = await aCaller(app, 'admin')
  const { user: other } = await aCaller(app)
  const start = Date.parse('2026-01-01T00:00:00Z')
  await app.db.insert(activity).values(
    Array.from({ length: 120 }, (_, n) => ({
      id: uuid(),
      at: new Date(start + Math.floor(n / 3) * 3_600_000), // three share each moment
      action: n % 2 ? 'auth.login' : 'user.update',
      outcome: n % 5 ? ('success' as const) : ('failure' as const),
      actorType: 'user' as const,
      actorId: n % 3 ? user.id : other.id,
      targetId: n % 4 ? user.id : other.id,
      source: 'api' as const
    }))
  )
  const everything = (await call('GET', '/api/admin/activity?limit=200')).json().items as Record<
    string,
    string
  >[]
  t.ok(everything.length > 120)
  const choices: [string, string, (item: Record<string, string>) => boolean][] = [
    ['action', 'auth.login', (item) => item.action === 'auth.login'],
    ['outcome', 'failure', (item) => item.outcome === 'failure'],
    ['actorId', user.id, (item) => item.actorId === user.id],
    ['targetId', other.id, (item) => item.targetId === other.id],
    ['from', '2026-01-01T12:00:00Z', (item) => (item.at ?? '') >= '2026-01-01T12:00:00.000Z'],
    ['to', '2026-01-02T00:00:00+01:00', (item) => (item.at ?? '') < '2026-01-01T23:00:00.000Z']
  ]
  for (let set = 0; set < 2 ** choices.length; set++) {
    const chosen = choices.filter((_, n) => set & (1 << n))
    const query = new URLSearchParams([
      ...chosen.map(([name, value]) => [name, value] as [string, string]),
      ['limit', '7'],
      ['sort', set % 2 ? 'at' : '-at']
    ])
    const walked = []
    let url: string | undefined = `/api/admin/activity?${query}`
    while (url) {
      const response = await call('GET', url)
      walked.push(...response.json().items)
      url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    }
    const expected = everything.filter((item) => chosen.every(([, , lets]) => lets(item)))
    t.same(
      walked.map((item) => item.id),
      (set % 2 ? expected.toReversed() : expected).map((item) => item.id),
      String(query)
    )
  }
})

t.test('an invalid filter is rejected by name', async (t) => {
  for (const [query, pointer] of [
    ['from=yesterday', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['to=0000-01-01T00:00:00Z', 'to'],
    ['to=2026-12-31T23:59:60Z', 'to'],
    ['outcome=maybe', 'outcome'],
    ['actorId=me', 'actorId'],
    ['targetId=', 'targetId'],
    ['sort=action', 'sort']
  ] as const) {
    t.match(
      (await call('GET', `/api/admin/activity?${query}`)).json(),
      { status: 400, errors: [{ pointer: `/query/${pointer}` }] },
      query
    )
  }
  t.same((await call('GET', '/api/admin/activity?action=no.such')).json(), {
    items: [],
    nextCursor: null
  })
})

t.test('the summary counts each action and outcome per hour and per day', async (t) => {
  const app = await testApp(t)
  const { call } = await aCaller(app, 'admin')
  const at = (time: string, action: string, outcome: 'success' | 'failure') => ({
    id: uuid(),
    at: new Date(time),
    action,
    outcome,
    actorType: 'anonymous' as const,
    source: 'api' as const
  })
  await app.db
    .insert(activity)
    .values([
      at('2026-01-01T10:00:00.000Z', 'auth.login', 'success'),
      at('2026-01-01T10:59:59.999Z', 'auth.login', 'success'),
      at('2026-01-01T10:30:00.000Z', 'auth.login', 'failure'),
      at('2026-01-01T11:00:00.000Z', 'auth.login', 'success'),
      at('2026-01-02T00:00:00.000Z', 'auth.logout', 'success')
    ])
  const span = 'from=2026-01-01T10:00:00Z&to=2026-01-02T00:00:00Z'
  t.same((await call('GET', `/api/admin/activity/summary?bucket=hour&${span}`)).json(), {
    bucket: 'hour',
    from: '2026-01-01T10:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
    items: [
      {
        start: '2026-01-01T10:00:00.000Z',
        action: 'auth.login',
        outcome: 'failure',
        count: 1,
        occurrences: 1
      },
      {
        start: '2026-01-01T10:00:00.000Z',
        action: 'auth.login',
        outcome: 'success',
        count: 2,
        occurrences: 2
      },
      {
        start: '2026-01-01T11:00:00.000Z',
        action: 'auth.login',
        outcome: 'success',
        count: 1,
        occurrences: 1
      }
    ]
  })
  t.match(
    (
      await call(
        'GET',
        '/api/admin/activity/summary?bucket=day&from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z'
      )
    ).json().items,
    [
      { start: '2026-01-01T00:00:00.000Z', outcome: 'failure', count: 1, occurrences: 1 },
      { start: '2026-01-01T00:00:00.000Z', count: 3 },
      { start: '2026-01-02T00:00:00.000Z', action: 'auth.logout', count: 1 }
    ]
  )
  t.match(
    (await call('GET', '/api/admin/activity/summary?bucket=day'))
      .json()
      .items.map((item: { action: string }) => item.action),
    ['auth.login', 'auth.register', 'user.role-grant'],
    'until now'
  )
})

t.test(
  'the summary has the filters of the list, and says how often refusals happened',
  async (t) => {
    const app = await testApp(t)
    const { call, user } = await aCaller(app, 'admin')
    const { user: other } = await aCaller(app)
    const at = (action: string, actorId: string, targetId: string, count?: number) => ({
      id: uuid(),
      at: new Date('2026-01-01T10:00:00.000Z'),
      action,
      outcome: action === 'auth.login' ? ('success' as const) : ('failure' as const),
      actorType: 'user' as const,
      actorId,
      targetId,
      source: 'api' as const,
      ...(count && { details: { count } })
    })
    await app.db
      .insert(activity)
      .values([
        at('auth.login', user.id, other.id),
        at('auth.login', other.id, other.id),
        at('throttle.limited', user.id, user.id),
        at('throttle.limited', user.id, user.id, 40),
        at('throttle.limited', other.id, user.id, 2_000_000_000),
        at('throttle.limited', other.id, user.id, 2_000_000_000),
        at('mail.retry', user.id, user.id, 7)
      ])
    const span = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
    const summary = async (filter: string) =>
      (await call('GET', `/api/admin/activity/summary?bucket=day&${span}&${filter}`))
        .json()
        .items.map(({ action, count, occurrences }: Record<string, unknown>) => [
          action,
          count,
          occurrences
        ])
    t.same(await summary(`actorId=${user.id}`), [
      ['auth.login', 1, 1],
      ['mail.retry', 1, 1],
      ['throttle.limited', 2, 41]
    ])
    t.same(await summary(`targetId=${other.id}`), [['auth.login', 2, 2]])
    t.same(await summary('action=throttle.limited'), [['throttle.limited', 4, 2_147_483_647]])
    t.same(await summary(`outcome=failure&actorId=${user.id}&action=mail.retry`), [
      ['mail.retry', 1, 1]
    ])
  }
)

t.test(
  'a summary of a period that is too long or empty, or of an unknown bucket, is rejected by name',
  async (t) => {
    for (const [query, pointer] of [
      ['', '/query/bucket'],
      ['bucket=week', '/query/bucket'],
      ['bucket=hour&from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00Z', '/query/from'],
      ['bucket=day&from=2020-01-01T00:00:00Z', '/query/from'],
      ['bucket=day&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/from']
    ]) {
      t.match(
        (await call('GET', `/api/admin/activity/summary?${query}`)).json(),
        { status: 400, errors: [{ pointer }] },
        String(query)
      )
    }
  }
)

t.test('the details of every action are declared in the document', async (t) => {
  t.same(
    [...new Set(Object.values(actions).flat())].sort(),
    Object.keys(ActivityDetails.properties).sort()
  )
  const database = await testDatabase(t)
  await record(database.db, operator, 'auth.logout', { details: { password: 'secret' } as object })
  t.match(await database.db.select().from(activity), [{ details: {} }])
  t.notMatch(JSON.stringify(await database.db.select().from(activity)), /secret/)
})

t.test(
  'records past their retention period are deleted in batches, and others are kept',
  async (t) => {
    const { db } = await testDatabase(t)
    const aged = (days: number) => ({
      id: uuid(),
      at: sql`now() - make_interval(days => ${days}::int)`,
      action: 'auth.login',
      outcome: 'success' as const,
      actorType: 'anonymous' as const,
      source: 'api' as const
    })
    await db.insert(activity).values([...Array.from({ length: 25 }, () => aged(31)), aged(29)])
    t.equal(await deleteOldActivity(db, 30, 10), 10)
    t.same(
      [
        await deleteOldActivity(db, 30, 10),
        await deleteOldActivity(db, 30, 10),
        await deleteOldActivity(db, 30, 10)
      ],
      [10, 5, 0]
    )
    t.equal((await db.select().from(activity)).length, 1)
  }
)

t.test('a server deletes old records automatically', async (t) => {
  const database = await testDatabase(t)
  await database.db.insert(activity).values(
    Array.from({ length: 1500 }, () => ({
      id: uuid(),
      at: sql`now() - interval '8 days'`,
      action: 'auth.login',
      outcome: 'success' as const,
      actorType: 'anonymous' as const,
      source: 'api' as const
    }))
  )
  await testApp(t, { ACTIVITY_RETENTION_DAYS: 7 }, database)
  await until(
    async () => (await database.db.select({ id: activity.id }).from(activity).limit(1)).length === 0
  )
  t.pass('they are deleted')
})
