import t from 'tap'
import { flagOf, formOf, newFlag, split } from '../console/flags/form.ts'
import type { FlagForm, RuleForm } from '../console/flags/form.ts'
import { attributesOf, settingsOf } from '../console/flags/sample-context.ts'
import {
  linesOf,
  restOf,
  shareAt,
  valueOf,
  valuesOf,
  weightOf
} from '../console/flags/when-form.ts'
import { dateTimeOf, localTimeOf } from '../shared/setting-fields.ts'

const flag = {
  ...{ ...newFlag, key: 'new-checkout', permanent: true },
  rules: [
    {
      when: { rolesAny: ['admin', 'billing'], segmentsAny: ['staff', 'beta'] },
      serve: { variant: 'on' }
    },
    {
      when: {
        users: ['visitor 7', '"quoted"'],
        scopes: ['org:1', 'org:2'],
        attributes: [{ name: 'country', op: 'in' as const, values: ['DE', '7', 7, true, ' a'] }],
        appSettings: [{ name: 'limits.projects', op: 'gte' as const, values: [10] }]
      },
      serve: {
        split: [
          { variant: 'on', weight: 33_333 },
          { variant: 'off', weight: 66_667 }
        ]
      }
    }
  ]
}
const mistakes = (changes: Partial<FlagForm>) =>
  flagOf({ ...formOf(flag), ...changes }).mistakes.map(([pointer]) => pointer)

t.test('a flag is the same after it was in the form', async (t) => {
  t.same(flagOf(formOf(flag)), { flag, mistakes: [] })
  for (const value of [{ limit: 10 }, { deep: [null, { a: '"' }] }]) {
    const object = { ...flag, type: 'object' as const, variants: { on: value, off: {} } }
    t.same(flagOf(formOf(object)).flag, object)
  }
})

t.test('a rule keeps conditions for which the form has no fields', async (t) => {
  const unknown = { rolesAny: ['admin'], untilSomeDay: '2031-01-01', listed: ['a'] }
  const rules = [{ when: unknown, serve: { variant: 'on' } }]
  t.same(flagOf(formOf({ ...flag, rules })).flag.rules, rules)
  const rule = formOf({ ...flag, rules }).rules[0]!
  const form = { ...formOf(flag), rules: [{ ...rule, roles: [] }] }
  const { rolesAny: _, ...others } = unknown
  t.same(flagOf(form).flag.rules[0]?.when, others, 'also when the others are emptied')
})

t.test('times of a rule are kept to the millisecond, and one can be changed alone', async (t) => {
  const when = { from: '2026-12-01T07:00:00.500Z', until: '2026-12-24T23:00:00.000Z' }
  const rules = [{ when, serve: { variant: 'on' } }]
  t.same(flagOf(formOf({ ...flag, rules })).flag.rules, rules)
  const rule = formOf({ ...flag, rules }).rules[0]!
  const read = (changes: Partial<RuleForm>) =>
    flagOf({ ...formOf(flag), rules: [{ ...rule, ...changes }] }).flag.rules[0]?.when
  t.same(read({ until: '' }), { from: when.from })
  const later = dateTimeOf(localTimeOf('2027-01-01T00:30:00.000Z') ?? '') ?? ''
  t.same(read({ until: later }), { ...when, until: '2027-01-01T00:30:00.000Z' })
})

t.test('a variant keeps its place in rules when it gets another name', async (t) => {
  const form = formOf(flag)
  const variants = form.variants.map((each) => (each.id === 'on' ? { ...each, name: 'yes' } : each))
  const { flag: renamed, mistakes } = flagOf({ ...form, variants })
  t.same(mistakes, [])
  t.match(renamed, { variants: { yes: true }, rules: [{ serve: { variant: 'yes' } }, {}] })
})

t.test('mistakes are named by the pointers of the portal', async (t) => {
  const { variants, rules } = formOf(flag)
  const [on, off] = [variants[0]!, variants[1]!]
  t.same(mistakes({}), [])
  t.same(mistakes({ variants: [on, { ...off, value: 'no' }] }), ['/variants/off'])
  t.same(mistakes({ variants: [on, off, { ...off, id: '+1' }] }), ['/variants'])
  t.same(mistakes({ variants: [on] }), ['/defaultVariant', '/offVariant', '/rules/1/serve/split/1'])
  const [first, second] = [rules[0]!, rules[1]!]
  const shares = (...percents: string[]) =>
    second.shares.map((share, n) => ({ ...share, percent: percents[n] ?? '' }))
  const withShares = (...percents: string[]) => ({
    rules: [first, { ...second, shares: shares(...percents) }]
  })
  t.same(mistakes(withShares('33.333', '66.666')), ['/rules/1/serve/split'])
  t.same(mistakes(withShares('many', '50')), ['/rules/1/serve/split/0'])
  t.same(
    mistakes({ rules: [{ ...first, attributes: [{ id: '1', name: '', op: 'in', values: '' }] }] }),
    ['/rules/0/when/attributes/0']
  )
  t.same(
    mistakes({
      rules: [{ ...first, appSettings: [{ id: '1', name: 'a', op: 'in', values: '' }] }]
    }),
    ['/rules/0/when/appSettings/0']
  )
})

t.test('a new flag is a switch that is off for everybody', async (t) => {
  t.match(flagOf({ ...formOf(), key: 'new' }), {
    flag: { key: 'new', type: 'boolean', defaultVariant: 'off', rules: [] },
    mistakes: []
  })
  t.notOk(formOf().variants.some(({ id }) => id === split))
})

t.test('values on lines are read as what they were', async (t) => {
  const values = ['DE', '7', 7, true, 'true', '"', ' a b', '', 1e21, '{"a":1}', 'ü\n']
  t.same(valuesOf(linesOf(values)), values)
  t.equal(valueOf('1e999'), '1e999', 'no number in JSON')
})

t.test('shares have at most three decimal places, and a rest', async (t) => {
  t.equal(weightOf('33,333'), 33_333)
  t.equal(weightOf(' 100 '), 100_000)
  for (const text of ['', '-1', '100.001', '0.0001', '1e1', '5 %']) {
    t.equal(weightOf(text), undefined, text)
  }
  const shares = [{ percent: '20' }, { percent: '30.5' }]
  t.equal(restOf(shares), 49_500)
  t.equal(restOf([{ percent: '' }]), undefined)
  t.equal(shareAt(shares, 19_999), shares[0])
  t.equal(shareAt(shares, 20_000), shares[1])
  t.equal(shareAt(shares, 50_500), undefined)
})

t.test('app settings of a made-up caller are JSON, or paths with values', async (t) => {
  t.equal(settingsOf(' \n'), undefined)
  t.same(settingsOf('plan=pro\nlimits.projects = 10\nlimits.seats=2'), {
    plan: 'pro',
    limits: { projects: 10, seats: 2 }
  })
  t.same(settingsOf('{ "limits": { "projects": 10 } }'), { limits: { projects: 10 } })
  t.throws(() => settingsOf('{ "limits": '), { message: 'This is not JSON.' })
  settingsOf('__proto__.polluted=1\nconstructor.prototype.polluted=1')
  t.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  t.same(attributesOf('country=DE\nno value\nn=1'), { country: 'DE', n: 1 })
})
