// Also on PGlite.

import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import { statements } from '../../../db/statements.ts'
import type { SentStatement } from '../../../db/statements.ts'
import { createFlag, updateFlag } from '../../../src/domain/flags/flags.ts'
import { createSegment, updateSegment } from '../../../src/domain/flags/segments.ts'
import { changeSettings } from '../../../src/domain/settings/settings.ts'
import { pruneSettings } from '../../../src/domain/settings/stored.ts'
import { aCaller, onPglite, operator, testApp } from '../../support/app.ts'
import { emptyApp } from '../../support/empty-app.ts'
import { ownSettingsApp, schemaFile, settingsOf } from '../../support/settings.ts'

type Rule = NonNullable<Parameters<typeof createFlag>[2]['rules']>[number]
type Condition = NonNullable<Rule['when']['appSettings']>[number]

const flag = (key: string, ...appSettings: Condition[]) => ({
  key,
  type: 'boolean' as const,
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  public: true,
  rules: [
    { when: appSettings.length > 0 ? { appSettings } : {}, serve: { variant: 'on' } }
  ] as Rule[]
})
const isPro: Condition = { name: 'plan', op: 'in', values: ['pro'] }

const emptySettingsApp = (t: Test) => emptyApp(t, { settingsSchemas: settingsOf(t, schemaFile) })

const setApp = (app: FastifyInstance, userId: string, patch: SettingsDocument) =>
  changeSettings(app.context, operator, {
    userId,
    part: 'app',
    permission: 'users:update',
    change: { patch }
  })

const evaluate = async (
  { call }: Pick<Awaited<ReturnType<typeof aCaller>>, 'call'>,
  key: string,
  context: object = {}
) => (await call('POST', `/ofrep/v1/evaluate/flags/${key}`, { context })).json().value

t.test('a rule on app settings follows a change with the next evaluation elsewhere', async (t) => {
  const app = await ownSettingsApp(t)
  const other = await ownSettingsApp(t, schemaFile, {}, app.database)
  await createFlag(app.db, operator, flag('pro-only', isPro))
  const caller = await aCaller(app)
  t.equal(await evaluate(caller, 'pro-only'), false)
  for (const plan of ['pro', 'free', 'pro'] as const) {
    await setApp(other, caller.user.id, { plan })
    t.equal(await evaluate(caller, 'pro-only'), plan === 'pro', plan)
  }
})

t.test('a default of the schema counts, and nested settings have a path', async (t) => {
  const app = await emptySettingsApp(t)
  const caller = await aCaller(app)
  await createFlag(
    app.db,
    operator,
    flag('small', { name: 'limits.projects', op: 'lt', values: [10] })
  )
  await createFlag(app.db, operator, flag('free', { name: 'plan', op: 'in', values: ['free'] }))
  t.equal(await evaluate(caller, 'small'), true)
  t.equal(await evaluate(caller, 'free'), true)
  await setApp(app, caller.user.id, { limits: { projects: 10 } })
  t.equal(await evaluate(caller, 'small'), false)
})

t.test('a caller cannot say what their app settings are', async (t) => {
  const app = await emptySettingsApp(t)
  await createFlag(app.db, operator, flag('pro-only', isPro))
  const caller = await aCaller(app)
  for (const context of [
    { plan: 'pro' },
    { 'appSettings.plan': 'pro' },
    { appSettings: { plan: 'pro' } }
  ]) {
    t.equal(await evaluate(caller, 'pro-only', context), false)
  }
  const hasSeats: Condition = { name: 'limits.seats', op: 'gt', values: [1] }
  await createFlag(app.db, operator, flag('seats', hasSeats))
  for (const context of [{ 'limits.seats': 9 }, { limits: { seats: 9 } }]) {
    t.equal(await evaluate(caller, 'seats', context), false, 'nor where they have none')
  }
})

t.test('a visitor has no app settings', async (t) => {
  const app = await emptySettingsApp(t)
  await createFlag(app.db, operator, flag('free', { name: 'plan', op: 'in', values: ['free'] }))
  await createFlag(app.db, operator, flag('not-pro', { ...isPro, op: 'notIn' }))
  const call = (method: 'POST', url: string, payload: object) =>
    app.inject({ method, url, payload })
  const visitor = { call } as unknown as Parameters<typeof evaluate>[0]
  t.equal(await evaluate(visitor, 'free'), false)
  t.equal(await evaluate(visitor, 'not-pro'), true)
})

/** Counts the statements that read settings from now on. */
function countReads(t: Test) {
  let reads = 0
  const count = (message: unknown) => {
    if ((message as SentStatement).text.includes('from "user_settings"')) reads += 1
  }
  statements.subscribe(count)
  t.teardown(() => statements.unsubscribe(count))
  return () => reads
}

const once = 'callers read their settings once for each change, and only if a rule asks'
const skip = onPglite && 'its statements cannot be watched'
t.test(once, { skip }, async (t) => {
  const app = await emptySettingsApp(t)
  const caller = await aCaller(app)
  const reads = countReads(t)
  await createFlag(app.db, operator, flag('everybody'))
  await evaluate(caller, 'everybody')
  t.equal(reads(), 0, 'no rule names app settings')
  await createFlag(app.db, operator, flag('pro-only', isPro))
  await Promise.all(Array.from({ length: 5 }, () => evaluate(caller, 'pro-only')))
  await evaluate(caller, 'pro-only')
  t.equal(reads(), 1, 'concurrent and later evaluations share one read')
  await setApp(app, caller.user.id, { plan: 'pro' })
  const before = reads()
  await evaluate(caller, 'everybody')
  t.equal(await evaluate(caller, 'pro-only'), true)
  t.equal(reads(), before + 1)
})

t.test(
  'app settings count in segments, and are read only if a rule names such a segment',
  { skip },
  async (t) => {
    const app = await emptySettingsApp(t)
    const caller = await aCaller(app)
    const reads = countReads(t)
    await createSegment(app.db, operator, { key: 'pro', when: { appSettings: [isPro] } })
    await createSegment(app.db, operator, { key: 'pilots', when: { users: ['ann'] } })
    const rules = (key: string) => [{ when: { segmentsAny: [key] }, serve: { variant: 'on' } }]
    await createFlag(app.db, operator, { ...flag('by-segment'), rules: rules('pilots') })
    t.equal(await evaluate(caller, 'by-segment'), false)
    t.equal(reads(), 0, 'no rule names the segment on app settings')
    await setApp(app, caller.user.id, { plan: 'pro' })
    const changes = { rules: rules('pro') }
    const before = reads()
    await updateFlag(app.db, operator, { key: 'by-segment', changes })
    t.equal(await evaluate(caller, 'by-segment'), true)
    t.equal(reads(), before + 1)
    const when = { appSettings: [{ ...isPro, values: ['free'] }] }
    await updateSegment(app.db, operator, { key: 'pro', changes: { when } })
    t.equal(await evaluate(caller, 'by-segment'), false)
  }
)

t.test('a rule names settings that the schema has', async (t) => {
  const app = await emptySettingsApp(t)
  const { call } = await aCaller(app, 'admin')
  const create = (name: string) =>
    call('POST', '/api/admin/flags', flag('a', { name, op: 'in', values: [1] }))
  for (const name of ['trial', 'limits', 'limits.other', 'constructor']) {
    t.match((await create(name)).json(), {
      errors: [{ pointer: '/rules/0/when/appSettings/0/name', code: 'unknown-setting' }]
    })
  }
  t.equal((await create('limits.seats')).statusCode, 201)
  const changed = await call('PATCH', '/api/admin/flags/a', {
    rules: flag('a', { name: 'gone', op: 'in', values: [1] }).rules
  })
  t.match(changed.json(), { errors: [{ code: 'unknown-setting' }] })
})

t.test('a setting that the schema has lost counts as missing', async (t) => {
  const app = await ownSettingsApp(t)
  const caller = await aCaller(app)
  await createFlag(app.db, operator, flag('pro-only', isPro))
  await setApp(app, caller.user.id, { plan: 'pro' })
  const { SECRET_KEYS } = app.config
  const narrow = await ownSettingsApp(t, { user: schemaFile.user }, { SECRET_KEYS }, app.database)
  const elsewhere = {
    call: (method: 'POST', url: string, payload: object) =>
      narrow.inject({ method, url, payload, headers: { cookie: caller.cookie } })
  } as unknown as typeof caller
  t.equal(await evaluate(caller, 'pro-only'), true)
  t.equal(await evaluate(elsewhere, 'pro-only'), false)
})

t.test('a setting that was pruned counts no more where the schema still has it', async (t) => {
  const app = await ownSettingsApp(t)
  const caller = await aCaller(app)
  await createFlag(app.db, operator, flag('pro-only', isPro))
  await setApp(app, caller.user.id, { plan: 'pro' })
  t.equal(await evaluate(caller, 'pro-only'), true)
  const narrow = await ownSettingsApp(t, { user: schemaFile.user }, {}, app.database)
  t.equal(await pruneSettings(narrow.context, operator), 1)
  t.equal(await evaluate(caller, 'pro-only'), false)
})

t.test('a trial has the app settings of a user, or made-up ones', async (t) => {
  const app = await emptySettingsApp(t)
  const { call, user } = await aCaller(app, 'admin')
  await createFlag(app.db, operator, flag('pro-only', isPro))
  await setApp(app, user.id, { plan: 'pro' })
  const attempt = async (context: object) =>
    (await call('POST', '/api/admin/flags/evaluate', { key: 'pro-only', context })).json()
  t.match(await attempt({ userId: user.id }), { value: true, rule: 0 })
  t.match(await attempt({ roles: [], appSettings: { plan: 'pro' } }), { value: true })
  t.match(await attempt({ roles: [] }), { value: false })
  t.match(await attempt({ userId: user.id, appSettings: { plan: 'free' } }), {
    errors: [{ pointer: '/context/appSettings' }]
  })
  t.match((await call('GET', `/api/admin/users/${user.id}/flags`)).json(), {
    items: [{ key: 'pro-only', value: true }]
  })
})

t.test('without a schema, no rule can name app settings', async (t) => {
  const app = await testApp(t)
  const { call } = await aCaller(app, 'admin')
  t.match((await call('POST', '/api/admin/flags', flag('a', isPro))).json(), {
    errors: [{ code: 'unknown-setting' }]
  })
})
