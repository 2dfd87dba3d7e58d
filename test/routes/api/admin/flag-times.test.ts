// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { flags } from '../../../../db/schema/flags.ts'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, testApp, until } from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

const rule = (when: object) => ({ when, serve: { variant: 'on' } })
const create = async (...whens: object[]) =>
  call('POST', '/api/admin/flags', aFlag({ rules: whens.map(rule), public: true }))
/** The clock of the database. */
async function clock() {
  const [row] = await app.db
    .select({ now: sql<string>`extract(epoch from clock_timestamp()) * 1000` })
    .from(sql`(select 1) as one`)
  return Number(row?.now)
}

t.test('times come with any offset, and are returned in UTC', async (t) => {
  const created = await create({
    from: '2026-12-01T08:00:00+01:00',
    until: '2026-12-24T18:30:00.5-04:30'
  })
  t.equal(created.statusCode, 201)
  const when = { from: '2026-12-01T07:00:00.000Z', until: '2026-12-24T23:00:00.500Z' }
  t.same(created.json().rules[0].when, when)
  const url = String(created.headers.location)
  t.same((await call('GET', url)).json().rules[0].when, when)
  const same = await call('PATCH', url, {
    rules: [rule({ ...when, from: '2026-12-01T07:00:00Z' })]
  })
  t.equal(same.headers.etag, created.headers.etag, 'the same time is not a change')
})

t.test('times that no clock shows, and spans without a moment, are rejected', async (t) => {
  const flag = (when: object) => aFlag({ rules: [rule(when)] })
  const [from, until] = ['/rules/0/when/from', '/rules/0/when/until']
  const moment = '2026-12-01T08:00:00Z'
  const earlier = '2026-12-01T08:30:00+01:00'
  await rejects(t, call, 'POST /api/admin/flags', [
    ['no time between', flag({ from: moment, until: moment }), `${until} out-of-range`],
    ['an end before', flag({ from: moment, until: earlier }), `${until} out-of-range`],
    ['year 10000', flag({ from: '9999-12-31T23:59:59-01:00' }), `${from} out-of-range`],
    ['year -1', flag({ until: '0000-01-01T00:00:00+01:00' }), `${until} out-of-range`],
    ['30 February', flag({ from: '2026-02-30T00:00:00Z' }), `${from} malformed`],
    ['a day', flag({ from: '2026-12-01' }), `${from} malformed`],
    ['no offset', flag({ from: '2026-12-01T08:00:00' }), `${from} malformed`],
    ['a number', flag({ from: 1_800_000_000_000 }), `${from} wrong-type`]
  ])
  t.equal((await create({ from: '9999-12-31T23:59:59Z' })).statusCode, 201)
  t.equal((await create({ until: '2001-01-01T00:00:00Z' })).statusCode, 201, 'the past is allowed')
})

t.test('a rule begins by the clock of the database, and the ETag changes with it', async (t) => {
  const from = (await clock()) + 2000
  const { key } = (await create({ from: new Date(from).toISOString() })).json()
  const bulk = async () => {
    const url = '/ofrep/v1/evaluate/flags'
    const { headers, json } = await app.inject({ method: 'POST', url, payload: {} })
    const { value } = json().flags.find((flag: { key: string }) => flag.key === key)
    return { value, tag: headers.etag }
  }
  const seen = new Map<boolean, unknown>()
  const wrong: unknown[] = []
  await until(async () => {
    const before = await clock()
    const { value, tag } = await bulk()
    const after = await clock()
    if (value ? after < from : before >= from) wrong.push({ value, before, after, from })
    seen.set(value, tag)
    return value
  })
  t.same(wrong, [])
  t.not(seen.get(true), seen.get(false))
})

t.test('a trial is for any time, and says what changes next', async (t) => {
  const { key } = (
    await create({ from: '2126-12-01T07:00:00Z', until: '2126-12-24T23:00:00Z' })
  ).json()
  const trying = async (at?: string) =>
    (await call('POST', '/api/admin/flags/evaluate', { key, context: { at } })).json()
  const now = await trying()
  t.match(now, { value: false, nextChange: '2126-12-01T07:00:00.000Z' })
  t.ok(Math.abs(Date.parse(now.at) - (await clock())) < 3_600_000)
  t.match(await trying('2126-12-01T08:00:00+01:00'), {
    ...{ value: true, at: '2126-12-01T07:00:00.000Z', nextChange: '2126-12-24T23:00:00.000Z' }
  })
  t.match(await trying('2126-12-24T23:00:00Z'), { value: false, nextChange: null })
  t.match((await trying('9999-12-31T23:59:59-01:00')).errors, [
    { pointer: '/context/at', code: 'out-of-range' }
  ])
})

t.test('an unknown part of a rule is returned, never matches, and cannot be written', async (t) => {
  const created = await create({})
  const { key } = created.json()
  const url = String(created.headers.location)
  const evaluated = async () =>
    (await app.inject({ method: 'POST', url: `/ofrep/v1/evaluate/flags/${key}` })).json().value
  t.equal(await evaluated(), true)
  // A newer version may write such a condition.
  const rules = [rule({ weather: ['rain'] })]
  await app.db
    .update(flags)
    .set({ rules: rules as never })
    .where(eq(flags.key, key))
  await call('PATCH', url, { description: 'B' })
  t.equal(await evaluated(), false)
  t.same((await call('GET', url)).json().rules, rules)
  t.match((await call('GET', `${url}/revisions`)).json().items[0].definition, { rules })
  t.match((await call('PATCH', url, { rules })).json(), {
    status: 400,
    errors: [{ pointer: '/rules/0/when', code: 'unknown-property' }]
  })
})
