import t from 'tap'
import { differencesOf, folded, partsOf } from '../console/flags/differences.ts'
import { newFlag } from '../console/flags/form.ts'
import { firstOf, revisionOf, summaryOf } from '../console/flags/revisions.ts'
import type { Revision } from '../console/flags/revisions.ts'

const { key: _, ...definition } = newFlag
const revision = (changes: Partial<Revision> = {}): Revision => ({
  version: 1,
  change: 'create',
  fields: [],
  at: '2026-11-23T17:02:11.000Z',
  actorType: 'cli',
  actorId: null,
  actorLabel: 'root',
  definition,
  ...changes
})

t.test('only the parts that differ are shown, line by line', async (t) => {
  t.same(differencesOf(definition, { ...definition, version: 7 }), [])
  const rules = [{ when: { rolesAny: ['admin'] }, serve: { variant: 'on' } }]
  const found = differencesOf(definition, { ...definition, state: 'disabled', rules })
  t.same(found, [
    { title: 'State', lines: ['- Enabled', '+ Disabled'], isJson: false },
    { title: 'Rules', lines: ['+ On for users with the role admin'], isJson: false }
  ])
  t.equal(partsOf(definition, { ...definition, state: 'disabled', rules }), 'state, rules')
  t.equal(partsOf(definition, { ...definition }), '')
})

t.test('a flag that was created or deleted differs in every part', async (t) => {
  const { length } = Object.keys(definition)
  const created = differencesOf(null, definition)
  t.equal(created.length, length)
  t.match(created, [{ title: 'Type', lines: ['boolean'] }])
  t.match(created.at(-1), { title: 'Rules', lines: ['None'], isJson: false })
  const deleted = differencesOf(definition, null)
  t.equal(deleted.length, length)
  for (const { title, lines } of deleted) {
    t.ok(lines.length > 0 && lines.every((line) => line.startsWith('-')), title)
  }
})

t.test('rules are sentences that leave nothing out, in their order', async (t) => {
  const rule = (...values: (string | number)[]) => ({
    when: { users: ['a', 'b'], attributes: [{ name: 'plan', op: 'in', values }] },
    serve: { variant: 'on' }
  })
  const start = 'On for users a or b whose plan is'
  const plans = ['free', 'team', 'pro', 'max', '7']
  t.same(differencesOf({ rules: [rule(...plans)] }, { rules: [rule(...plans.with(4, 'all'))] }), [
    {
      title: 'Rules',
      lines: [
        `- ${start} free, team, pro, max or "7"`,
        `+ ${start} free, team, pro, max or all`
      ].map((line) => line.replace('On', '“on”')),
      isJson: false
    }
  ])
})

t.test('what words do not tell is shown as JSON', async (t) => {
  const whose = (...values: string[]) => ({
    when: { attributes: [{ name: 'plan', op: 'in', values }] }
  })
  const [found] = differencesOf(whose('free or team'), whose('free', 'team'))
  t.match(found, { title: 'Conditions', isJson: true })
  t.ok(found?.lines.includes('-         "free or team"'))
})

t.test('lines far from a change are counted', async (t) => {
  const rules = Array.from({ length: 20 }, (_, n) => ({
    when: { rolesAny: [`role-${n}`] },
    serve: { variant: 'on' }
  }))
  const line = (n: number) => `“on” for users with the role role-${n}`
  const changed = rules.with(10, { when: { rolesAny: ['other'] }, serve: { variant: 'on' } })
  const [found] = differencesOf({ rules }, { rules: changed })
  t.same(found?.lines, [
    '  … 7 unchanged lines',
    ...[7, 8, 9].map((n) => `  ${line(n)}`),
    `- ${line(10)}`,
    '+ “on” for users with the role other',
    ...[11, 12, 13].map((n) => `  ${line(n)}`),
    '  … 6 unchanged lines'
  ])
})

t.test('of long lists one sees the lines that differ, and the first of a new one', async (t) => {
  const users = Array.from({ length: 900 }, (_, n) => `visitor-${n}`)
  const [changed] = differencesOf({ when: { users } }, { when: { users: users.slice(1) } })
  t.same(changed?.lines, [
    '  {',
    '    "users": [',
    '-     "visitor-0",',
    '      "visitor-1",',
    '      "visitor-2",',
    '      "visitor-3",',
    '  … 898 unchanged lines'
  ])
  const [created] = differencesOf(null, { when: { users } })
  const [first, more] = folded(created?.lines ?? [])
  t.equal(first?.at(-1), '    "visitor-37",')
  t.equal(first?.length, 40)
  t.equal(more?.length, 864)
  t.same(folded(Array<string>(60).fill('x'))[1], [], 'a few more are shown as well')
})

t.test('sentences that would be too long are shown as JSON', async (t) => {
  const rule = (value: string) => ({
    when: { attributes: [{ name: 'plan', op: 'in', values: [value] }] },
    serve: { variant: 'on' }
  })
  const long = 'x'.repeat(1000)
  const [found] = differencesOf({ rules: [rule(long)] }, { rules: [rule('pro')] })
  t.match(found, { title: 'Rules', isJson: true })
  t.ok(found?.lines.includes(`-${' '.repeat(13)}"${long}"`))
  const variants = { on: { text: long } }
  t.match(differencesOf(null, { variants }), [{ title: 'Variants', isJson: true }])
})

t.test('a change is said in one line', async (t) => {
  const first = revision()
  t.equal(summaryOf(first, undefined), 'Created')
  const changed = { ...definition, state: 'disabled', permanent: true } as const
  const second = revision({ version: 2, change: 'update', definition: changed })
  t.equal(summaryOf(second, first), 'Changed: disabled; permanent')
  t.equal(summaryOf(second, undefined), 'Changed', 'when the version before is gone')
  const deleted = revision({ version: 3, change: 'delete', definition: null })
  t.equal(summaryOf(deleted, second), 'Deleted')
  t.equal(summaryOf(revision({ version: 4, change: 'restore' }), deleted), 'Restored')
})

t.test('the revision of a tag is its number, without the tag of the content', async (t) => {
  t.equal(revisionOf({ etag: '"3"' }), 3)
  t.equal(revisionOf({ etag: '"12-kq0c9RzYq1aB"' }), 12)
})

t.test('the first items of a list are read in pages of at most 200', async (t) => {
  const items = Array.from({ length: 450 }, (_, n) => n)
  const asked: number[] = []
  const read = async ({ limit, cursor = '0' }: { limit: number; cursor?: string }) => {
    asked.push(limit)
    const end = Number(cursor) + limit
    return {
      items: items.slice(Number(cursor), end),
      nextCursor: end < items.length ? String(end) : null
    }
  }
  t.same(await firstOf(21, read), items.slice(0, 21))
  t.same(await firstOf(Infinity, read), items)
  t.same(asked, [21, 200, 200, 200])
})
