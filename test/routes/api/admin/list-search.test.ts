// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { flags } from '../../../../db/schema/flags.ts'
import { createFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, operator } from '../../../support/app.ts'
import { emptyApp } from '../../../support/empty-app.ts'
import { aFlag } from '../../../support/flags.ts'
import { rejectsQueries } from '../../../support/scenarios.ts'

const app = await emptyApp(t)
const { call } = await aCaller(app, 'admin')
const found = async (list: string, query: string) => {
  const { items } = (await call('GET', `/api/admin/${list}?${query}`)).json()
  return items.map(({ key }: { key: string }) => key) as string[]
}

t.test('segments, roles and services are found by words of their texts', async (t) => {
  const when = { users: ['visitor-1'] }
  for (const [list, fields] of [
    ['segments', { when, description: 'Bêta testers in Köln' }],
    ['roles', { name: 'Bêta testers', description: 'In Köln' }],
    ['services', { name: 'Bêta testers', description: 'In Köln' }]
  ] as const) {
    const key = `early-${list}`
    t.equal((await call('POST', `/api/admin/${list}`, { key, ...fields })).statusCode, 201, list)
    const other = { key: 'other', name: 'Other', when }
    const { name, ...segment } = other
    const { when: _, ...account } = other
    await call('POST', `/api/admin/${list}`, list === 'segments' ? segment : account)
    for (const query of ['q=arly', 'q=koln+BETA', `q=early+in`, 'q=te&limit=1']) {
      t.same(await found(list, query), [key], `${list} ${query}`)
    }
    for (const query of ['q=koln+nobody', 'q=ly', 'q=%25%25%25']) {
      t.same(await found(list, query), [], `${list} ${query}`)
    }
  }
})

t.test('flags are filtered by words, type and state, and counted on all pages', async (t) => {
  const day = 86_400_000
  for (const [key, changes] of [
    ['checkout-new', { description: 'Für alle' }],
    ['checkout-old', { state: 'disabled' }],
    ['limits', { type: 'number', variants: { on: 1, off: 2 } }],
    ['idle', { rules: [] }]
  ] as const) {
    await createFlag(app.db, operator, aFlag({ key, ...changes }))
  }
  await app.db
    .update(flags)
    .set({ updatedAt: new Date(Date.now() - 40 * day) })
    .where(sql`${eq(flags.key, 'idle')} or ${eq(flags.key, 'checkout-old')}`)
  for (const [query, expected] of [
    ['', ['checkout-new', 'checkout-old', 'idle', 'limits']],
    ['q=check', ['checkout-new', 'checkout-old']],
    ['q=ALLE+checkout+fur', ['checkout-new']],
    ['type=number', ['limits']],
    ['state=disabled', ['checkout-old']],
    ['state=stale', ['checkout-old', 'idle']],
    ['state=stale&q=out&type=boolean', ['checkout-old']],
    ['state=enabled&q=out', ['checkout-new']],
    ['q=nothing', []]
  ] as const) {
    const { items, total } = (await call('GET', `/api/admin/flags?${query}`)).json()
    t.same(
      [items.map(({ key }: { key: string }) => key), total],
      [expected, expected.length],
      query
    )
  }
  const { items, total, nextCursor } = (
    await call('GET', '/api/admin/flags?q=checkout&limit=1')
  ).json()
  t.same([items.length, total], [1, 2], 'of all pages')
  const next = await call('GET', `/api/admin/flags?q=checkout&limit=1&cursor=${nextCursor}`)
  t.match(next.json(), { items: [{ key: 'checkout-old' }], total: 2, nextCursor: null })
  const stale = (await call('GET', '/api/admin/stale-flags')).json().items
  t.same(
    await found('flags', 'state=stale'),
    stale.map(({ key }: { key: string }) => key),
    'the flags of the list of stale ones'
  )
})

t.test('a search needs a word, and takes no others as wildcards', async (t) => {
  for (const list of ['flags', 'segments', 'roles', 'services']) {
    await rejectsQueries(t, call, `/api/admin/${list}`, [['q=', '/query/q too-short']])
  }
  await rejectsQueries(t, call, '/api/admin/flags', [['state=old', '/query/state not-allowed']])
})
