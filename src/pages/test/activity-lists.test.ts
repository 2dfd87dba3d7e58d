import t from 'tap'
import { actionNames } from '../../../db/schema/actions.ts'
import { actionOptions, wordsOf } from '../console/activity/action-words.ts'
import { recentDays } from '../console/activity/period.ts'
import { csvOf } from '../console/list/csv.ts'

t.test('every action has words of its own, without a placeholder', async (t) => {
  const words = actionNames.map(wordsOf)
  t.same(
    words.filter((text) => /[{}]| {2}|(^| )(of|to|as|for)$/.test(text)),
    []
  )
  t.same(
    actionNames.filter((name, at) => words[at] === name),
    [],
    'none is its code'
  )
  t.equal(new Set(words).size, words.length)
  t.equal(wordsOf('user.role-revoke'), 'Revoked a role')
  t.equal(wordsOf('key.create'), 'Created an API key')
  t.equal(wordsOf('auth.register'), 'A user registered')
})

t.test('actions are offered by their words, those of the app as well', async (t) => {
  const options = actionOptions(['app.order-ship', 'auth.login'])
  t.equal(options.length, actionNames.length + 1)
  t.match(
    options.find(([action]) => action === 'auth.login'),
    ['auth.login', 'Signed in (auth.login)']
  )
  const shown = options.map(([, text]) => text)
  t.same(
    shown,
    shown.toSorted((one, other) => one.localeCompare(other))
  )
})

t.test('days begin at midnight for the reader', async (t) => {
  const days = Object.fromEntries(recentDays(new Date(2026, 10, 3, 15, 30)))
  const at = (month: number, day: number) => new Date(2026, month, day).toISOString()
  t.same(days.Today, { from: at(10, 3) })
  t.same(days.Yesterday, { from: at(10, 2), to: at(10, 3) })
  t.same(days['7 days'], { from: at(9, 28) })
  t.same(days.All, {})
})

t.test('a list becomes a file for spreadsheets, which takes nothing for a formula', async (t) => {
  const file = csvOf([
    { id: 1, name: 'Ada, "Countess"', details: { amr: ['pwd'] }, ip: null },
    { id: -2, name: '=HYPERLINK("https://evil.example")', more: true }
  ])
  t.equal(
    file,
    '\uFEFFid,name,details,ip,more\r\n' +
      '1,"Ada, ""Countess""","{""amr"":[""pwd""]}",,\r\n' +
      '-2,"\'=HYPERLINK(""https://evil.example"")",,,true\r\n'
  )
})
