// Also on PGlite.

import t from 'tap'
import { v7 as uuid } from 'uuid'
import { rejectsQueries } from '../../../support/scenarios.ts'
import { activity } from '../../../../db/schema/activity.ts'
import { aCaller, ownApp } from '../../../support/app.ts'

/** The sweep at the start must not delete records with dates of the past. */
const keepsOld = { ACTIVITY_RETENTION_DAYS: 36_500 }
const app = await ownApp(t, keepsOld)
const { call } = await aCaller(app, 'admin')

t.test('the summary counts each action and outcome per hour and per day', async (t) => {
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
    const app = await ownApp(t, keepsOld)
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
    await rejectsQueries(t, call, '/api/admin/activity/summary', [
      ['', '/query/bucket required'],
      ['bucket=week', '/query/bucket not-allowed'],
      ['bucket=hour&from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00Z', '/query/from out-of-range'],
      ['bucket=day&from=2020-01-01T00:00:00Z', '/query/from out-of-range'],
      ['bucket=day&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/from out-of-range']
    ])
  }
)
