import t from 'tap'
import { likelyOf, rulesWith } from '../console/flags/give.ts'

const on = { variant: 'on' }
const forPeople = (users: string[], serve = on) => ({ when: { users }, serve })
const forRole = { when: { users: ['ada'], rolesAny: ['admin'] }, serve: on }

t.test('a flag is given by a rule for people above all others', async (t) => {
  t.same(rulesWith([], 'ada', 'on'), [forPeople(['ada'])])
  t.same(rulesWith([forRole], 'ada', 'on'), [forPeople(['ada']), forRole])
  t.same(rulesWith([forPeople(['bob']), forRole], 'ada', 'on'), [
    forPeople(['bob', 'ada']),
    forRole
  ])
})

t.test('other rules for people forget a user to whom something else is given', async (t) => {
  const off = { variant: 'off' }
  const before = [forPeople(['ada', 'bob']), forRole, forPeople(['ada'])]
  const after = rulesWith(before, 'ada', 'off')
  t.same(after, [forPeople(['ada'], off), forPeople(['bob']), forRole])
  t.same(rulesWith(after, 'ada', 'on'), [forPeople(['bob', 'ada']), forRole])
  t.same(rulesWith(rulesWith(after, 'ada', 'on'), 'ada', 'on'), [
    forPeople(['bob', 'ada']),
    forRole
  ])
})

t.test('a switch is given on, and another flag a variant that is not the default', async (t) => {
  const likely = (variants: object, defaultVariant: string) =>
    likelyOf({ variants, defaultVariant } as never)
  t.equal(likely({ off: false, yes: true }, 'off'), 'yes')
  t.equal(likely({ yes: true, off: false }, 'yes'), 'yes')
  t.equal(likely({ small: 1, large: 2 }, 'small'), 'large')
  t.equal(likely({ only: 1 }, 'only'), 'only')
})
