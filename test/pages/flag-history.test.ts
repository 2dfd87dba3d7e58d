import t from 'tap'
import { differencesOf } from '../../src/pages/console/flags/differences.ts'
import { firstOf, summaryOf } from '../../src/pages/console/flags/revisions.ts'
import type { Revision } from '../../src/pages/console/flags/revisions.ts'

const definition: NonNullable<Revision['definition']> = {
  type: 'boolean',
  description: 'The new checkout',
  state: 'enabled',
  public: false,
  permanent: false,
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  rules: []
}
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
  t.match(found, [{ title: 'State', lines: ['- "enabled"', '+ "disabled"'] }, { title: 'Rules' }])
  t.same(found[1]?.lines?.slice(0, 3), ['- []', '+ [', '+   {'])
})

t.test('a flag that was created or deleted differs in every part', async (t) => {
  const { length } = Object.keys(definition)
  const created = differencesOf(null, definition)
  t.equal(created.length, length)
  t.ok(created.every(({ lines }) => lines?.every((line) => line.startsWith('+'))))
  const deleted = differencesOf(definition, null)
  t.equal(deleted.length, length)
  t.ok(deleted.every(({ lines }) => lines?.every((line) => line.startsWith('-'))))
})

t.test('lines far from a change are counted', async (t) => {
  const rules = Array.from({ length: 20 }, (_, n) => n)
  const [found] = differencesOf({ rules }, { rules: rules.toSpliced(10, 1, 99) })
  t.same(found?.lines, [
    '  … 8 unchanged',
    ...['    7,', '    8,', '    9,', '-   10,', '+   99,', '    11,', '    12,', '    13,'],
    '  … 7 unchanged'
  ])
})

t.test('parts of more than 2,000 lines are shown as they were and as they are', async (t) => {
  const rules = (count: number) => Array.from({ length: count }, (_, n) => n)
  const [most] = differencesOf({ rules: rules(998) }, { rules: rules(998).with(0, 1) })
  t.ok(most?.lines)
  const [more] = differencesOf({ rules: rules(999) }, { rules: rules(999).with(0, 1) })
  t.match(more, { lines: undefined, before: /^\[\n {2}0,/, after: /^\[\n {2}1,/ })
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
