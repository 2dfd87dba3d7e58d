// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { flagEvaluations, flags } from '../../../../db/schema/flags.ts'
import type { When } from '../../../../db/schema/flags.ts'
import { createFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, operator } from '../../../support/app.ts'
import { emptyApp } from '../../../support/empty-app.ts'
import { aFlag } from '../../../support/flags.ts'

const on = { variant: 'on' }
const german = { when: { attributes: [{ name: 'country', op: 'in', values: ['DE'] }] }, serve: on }
const split = (weight: number) => ({
  split: [
    { variant: 'on', weight },
    { variant: 'off', weight: 100_000 - weight }
  ]
})

/** An application with a list of its own. Flags are last changed 40 days ago unless told. */
async function setUp(t: Test) {
  const app = await emptyApp(t)
  const { call } = await aCaller(app, 'admin')
  const flag = async (key: string, changes: object = {}, daysAgo = 40) => {
    await createFlag(app.db, operator, aFlag({ key, ...changes }))
    const updatedAt = sql`now() - make_interval(days => ${daysAgo}::int)`
    await app.db.update(flags).set({ updatedAt }).where(eq(flags.key, key))
  }
  const sent = (flagKey: string, variant: string, count: number, daysAgo = 1) =>
    app.db.insert(flagEvaluations).values({
      ...{ flagKey, variant, count, kind: 'bulk' },
      day: sql`(now() at time zone 'UTC')::date - ${daysAgo}::int`
    })
  const stale = async (query = '') => {
    const response = await call('GET', `/api/admin/stale-flags${query}`)
    t.equal(response.statusCode, 200)
    const items: { key: string; reason: string; variant: string | null }[] = response.json().items
    return items.map(({ key, reason, variant }) => `${key}: ${reason} ${variant}`)
  }
  return { app, call, flag, sent, stale }
}

t.test('the first reason that applies is reported', async (t) => {
  const { flag, sent, stale } = await setUp(t)
  await flag('disabled', { state: 'disabled', rules: [german] })
  await flag('no-rules', { defaultVariant: 'on' })
  await flag('for-all', { rules: [{ when: {}, serve: on }, german] })
  await flag('whole-share', { rules: [{ when: {}, serve: split(100_000) }] })
  await flag('one', { rules: [german] })
  await flag('few', { rules: [german] })
  await flag('both', { rules: [german] })
  await flag('half', { rules: [{ when: {}, serve: split(50_000) }] })
  await flag('never-a-key', { rules: [{ when: {}, serve: split(50_000) }] })
  await flag('second', { rules: [german, { when: {}, serve: on }] })
  await sent('one', 'on', 60, 1)
  await sent('one', 'on', 40, 29)
  await sent('few', 'on', 99)
  await sent('few', 'on', 1, 30)
  await sent('both', 'on', 1000)
  await sent('both', 'off', 1)
  await sent('half', 'on', 5)
  await sent('half', 'off', 5)
  await sent('never-a-key', '', 100)
  t.same(await stale(), [
    'disabled: disabled off',
    'for-all: rolled-out on',
    'never-a-key: one-variant null',
    'no-rules: rolled-out on',
    'one: one-variant on',
    'second: unused null',
    'whole-share: rolled-out on'
  ])
})

t.test('nothing counts as unused before evaluations were counted for so long', async (t) => {
  const { flag, sent, stale } = await setUp(t)
  await flag('quiet', { rules: [german] })
  await sent('another', 'on', 1, 29)
  t.same(await stale(), [])
  t.same(await stale('?days=29'), ['quiet: unused null'])
  await sent('another', 'on', 1, 30)
  t.same(await stale(), ['quiet: unused null'])
  await sent('quiet', 'on', 1, 29)
  t.same(await stale(), [])
})

t.test('permanent flags, and those that were changed lately, are not stale', async (t) => {
  const { flag, stale } = await setUp(t)
  await flag('limit', { permanent: true })
  await flag('recent', {}, 29)
  await flag('older', {}, 31)
  t.same(await stale(), ['older: rolled-out off'])
  t.same(await stale('?days=29'), ['older: rolled-out off', 'recent: rolled-out off'])
})

t.test(
  'a flag that waits for a time, or has a rule of a newer version, is not stale',
  async (t) => {
    const { app, flag, stale } = await setUp(t)
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const hour = 3_600_000
    const cases: Record<string, object> = {
      'begins-later': { from: at(hour) },
      'ends-later': { from: at(-hour), until: at(hour) },
      'ends-much-later': { until: '9999-12-31T23:59:59.999Z' },
      'has-begun': { from: at(-hour) },
      'has-ended': { until: at(-hour) },
      'newer-part': { somethingNew: true },
      damaged: { from: 7, until: 'never' }
    }
    for (const [key, when] of Object.entries(cases)) {
      await flag(key)
      // Written by another version, or by hand.
      const rules = [{ when: when as When, serve: on }]
      await app.db.update(flags).set({ rules }).where(eq(flags.key, key))
    }
    t.same(await stale(), ['has-begun: rolled-out on'])
    await app.db.update(flags).set({ state: 'disabled' }).where(eq(flags.key, 'ends-later'))
    t.same(await stale(), ['ends-later: disabled off', 'has-begun: rolled-out on'])
  }
)

t.test('stale flags are listed page by page, and only for 7 to 90 days', async (t) => {
  const { call, flag } = await setUp(t)
  for (const key of ['a', 'b', 'c', 'd', 'e']) await flag(key)
  for (const sort of ['key', '-key']) {
    const walked: string[] = []
    let url: string | undefined = `/api/admin/stale-flags?limit=2&sort=${sort}&days=7`
    while (url) {
      const response = await call('GET', url)
      walked.push(...response.json().items.map(({ key }: { key: string }) => key))
      url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    }
    const all = ['a', 'b', 'c', 'd', 'e']
    t.same(walked, sort === 'key' ? all : all.toReversed())
  }
  for (const days of [6, 91]) {
    t.match((await call('GET', `/api/admin/stale-flags?days=${days}`)).json(), {
      errors: [{ pointer: '/query/days' }]
    })
  }
})
