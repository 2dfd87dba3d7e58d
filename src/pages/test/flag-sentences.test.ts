import t from 'tap'
import { newFlag } from '../console/flags/form.ts'
import type { Flag } from '../console/flags/form.ts'
import {
  changesOf,
  inWords,
  ruleSentence,
  sentenceOf,
  shortened,
  whyUnreachable
} from '../console/flags/sentences.ts'

type Rule = Flag['rules'][number]
type Condition = NonNullable<Rule['when']['attributes']>[number]

const flag = (changes: Partial<Flag> = {}): Flag => ({ ...newFlag, ...changes })
const on = { variant: 'on' }
const off = { variant: 'off' }
const share = (percent: number) => ({
  split: [
    { variant: 'on', weight: percent * 1000 },
    { variant: 'off', weight: 100_000 - percent * 1000 }
  ]
})
const rule = (when: Rule['when'], serve: Rule['serve'] = on): Rule => ({ when, serve })
const where = (...attributes: Condition[]): Rule['when'] => ({ attributes })
const country = (...values: string[]): Condition => ({ name: 'country', op: 'in', values })
const age = (op: Condition['op'], value: number): Condition => ({
  name: 'age',
  op,
  values: [value]
})
const sentence = (...rules: Rule[]) => sentenceOf(flag({ rules }))
const clause = (when: Rule['when']) => ruleSentence(rule(when), flag())

t.test('a flag is described by who gets what', async (t) => {
  t.equal(sentenceOf(flag()), 'Off for everybody.')
  t.equal(sentenceOf(flag({ state: 'disabled' })), 'Disabled: off for everybody.')
  t.equal(
    sentence(rule(where(country('DE')), share(20))),
    'On for 20 % of users in DE; off for everybody else.'
  )
  t.equal(sentence(rule({}, share(25))), 'On for 25 % of users; off for everybody else.')
  t.equal(
    sentence(rule({ rolesAny: ['support', 'billing'] }), rule({}, share(25))),
    'On for users with the role support or billing; on for 25 % of everybody else; off for the rest.'
  )
  t.equal(
    sentence(rule({ scopes: ['org:1', 'org:2'] })),
    'On for users in the scope org:1 or org:2; off for everybody else.'
  )
  t.equal(
    sentence(rule({ users: ['a', 'b'] }, off), rule({}, on)),
    'Off for 2 listed users; on for everybody else.'
  )
})

t.test('users whom a split leaves out do not reach the rules after it', async (t) => {
  const [german, support] = [where(country('DE')), { rolesAny: ['support'] }]
  t.equal(
    sentence(rule(german, share(20)), rule(support)),
    'On for 20 % and off for 80 % of users in DE; on for users with the role support; ' +
      'off for everybody else.'
  )
  t.equal(
    sentence(rule(german, share(20)), rule({}, share(25))),
    'On for 20 % and off for 80 % of users in DE; on for 25 % of everybody else; off for the rest.'
  )
  t.equal(
    sentence(rule(german, share(20)), rule(support, off)),
    'On for 20 % of users in DE; off for everybody else.',
    'nothing else follows'
  )
  t.equal(
    sentence(rule(german, off), rule({}, share(25))),
    'Off for users in DE; on for 25 % of everybody else; off for the rest.'
  )
  t.equal(sentence(rule({}, { split: [] })), '“?” for everybody.', 'while it is written')
})

t.test('what decides nothing needs no words', async (t) => {
  t.equal(sentence(rule(where(country('DE')), off)), 'Off for everybody.')
  t.equal(sentence(rule({}), rule({ rolesAny: ['support'] }, off)), 'On for everybody.')
})

t.test('variants with values other than true and false are called by their names', async (t) => {
  const colours = {
    type: 'string',
    variants: { blue: '#00f', red: '#f00', green: '#0f0' },
    defaultVariant: 'red'
  } as const
  const split = [
    { variant: 'blue', weight: 50_000 },
    { variant: 'green', weight: 50_000 }
  ]
  const rules = [rule(where(age('gte', 18)), { split })]
  t.equal(
    sentenceOf(flag({ ...colours, rules })),
    '“blue” for 50 % and “green” for 50 % of users whose age is at least 18; “red” for everybody else.'
  )
  const twice = { on: true, beta: true, off: false }
  t.equal(sentenceOf(flag({ variants: twice, defaultVariant: 'beta' })), '“beta” for everybody.')
})

t.test('a rule is a sentence, of which long lists are shortened', async (t) => {
  const sentence = (each: Rule) => ruleSentence(each, flag())
  t.equal(sentence(rule({})), 'On for everybody')
  t.equal(
    sentence(
      rule(where(country('DE', 'AT'), { name: 'plan', op: 'notIn', values: ['free'] }), share(20))
    ),
    'On for 20 % and off for 80 % of users in DE or AT whose plan is not free'
  )
  t.equal(
    sentence(rule({ rolesAny: ['a', 'b', 'c', 'd', 'e'] })),
    'On for users with the role a, b, c or 2 others'
  )
  t.match(sentence(rule(where({ name: 'x'.repeat(80), op: 'in', values: [1] }))), /x{39}… is 1$/)
})

t.test('a text is not shortened just after a bracket has opened', async (t) => {
  t.equal(shortened(`${'x'.repeat(36)} (abc)`), `${'x'.repeat(36)}…`)
  t.equal(shortened('(a) and more', 6), '(a) a…')
})

t.test('conditions on app settings are named as such, and others are not hidden', async (t) => {
  const appSettings: Condition[] = [{ name: 'limits.projects', op: 'gte', values: [10] }]
  t.equal(clause({ appSettings }), 'On for users whose app setting limits.projects is at least 10')
  t.equal(
    clause({ ...where(age('gte', 18)), appSettings }),
    'On for users whose age is at least 18 and app setting limits.projects is at least 10'
  )
  const unknown = { rolesAny: ['a'], someDay: '2031-01-01' }
  t.equal(clause(unknown), 'On for users with the role a under more conditions (someDay)')
})

t.test('segments are named', async (t) => {
  t.equal(clause({ segmentsAny: ['beta'] }), 'On for users in the segment beta')
  t.equal(
    clause({ rolesAny: ['support'], segmentsAny: ['beta', 'staff'] }),
    'On for users with the role support in the segment beta or staff'
  )
})

t.test('a rule with times names them, in the zone of the reader', async (t) => {
  const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', {
    value: { languages: ['c', 'en-GB'] },
    configurable: true
  })
  t.teardown(() => {
    if (navigator) Object.defineProperty(globalThis, 'navigator', navigator)
    else Reflect.deleteProperty(globalThis, 'navigator')
  })
  const [from, until] = ['2026-12-01T07:00:00.000Z', '2026-12-24T23:00:00.000Z']
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  const [begin, end] = [from, until].map((time) => format.format(new Date(time)))
  t.equal(
    sentence(rule({ from, until })),
    `On for everybody from ${begin} until ${end}; off otherwise.`
  )
  t.equal(
    sentence(rule({ ...where(country('DE')), until }), rule({}, share(25))),
    `On for users in DE until ${end}; on for 25 % of everybody else; off for the rest.`
  )
  t.equal(
    ruleSentence(rule({ rolesAny: ['support'], from }), flag()),
    `On for users with the role support from ${begin}`
  )
})

t.test('a rule below one for everybody never matches', (t) => {
  const german = rule(where(country('DE')))
  t.equal(whyUnreachable([german, rule({}), german], 1), undefined)
  t.match(whyUnreachable([german, rule({}), german], 2), 'rule 2 above it is for everybody')
  t.end()
})

t.test('changes are said in words', async (t) => {
  const german = rule(where(country('DE')), share(20))
  const support = rule({ rolesAny: ['support'] })
  const changes = (before: Partial<Flag>, after: Partial<Flag>) =>
    changesOf(flag(before), flag(after))
  t.same(changes({}, {}), [])
  t.same(changes({}, { state: 'disabled', defaultVariant: 'on' }), [
    'disabled',
    'default: off → on'
  ])
  t.same(changes({}, { permanent: true }), ['permanent'])
  t.same(changes({ permanent: true }, {}), ['no longer permanent'])
  t.same(changes({ rules: [support] }, { rules: [german, support] }), [
    'rule 1 added: on for 20 % and off for 80 % of users in DE'
  ])
  t.same(changes({ rules: [german, support] }, { rules: [support, german] }), [
    'order of rules 1 to 2'
  ])
  t.same(changes({ rules: [german, support] }, { rules: [german] }), ['rule 2 removed'])
  t.same(changes({ rules: [german] }, { rules: [support] }), ['rule 1 changed'])
  t.same(changes({}, { variants: { on: true, off: false, beta: true } }), ['variant beta added'])
  t.equal(inWords(['a', 'b', 'c']), 'a; b; c')
  t.equal(inWords(['a', 'b', 'c', 'd']), 'a; b; 2 more changes')
})
