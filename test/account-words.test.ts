import t from 'tap'
import { actionNames } from '../db/schema/actions.ts'
import { actions } from '../src/common/words/actions-en.ts'
import { de } from '../src/common/words/account-de.ts'
import { en } from '../src/common/words/account-en.ts'

t.test('an action that is recorded has words if others of its noun have some', async (t) => {
  const described = Object.keys(actions).flatMap((key) => /^action\.(.+)/.exec(key)?.[1] ?? [])
  const nounOf = (action: string) => action.replace(/\..*/, '')
  const nouns = new Set(described.map(nounOf))
  const noUserSeesIt = ['auth.register-refused']
  t.ok(nouns.has('scope'))
  t.same(
    [...described, ...noUserSeesIt].sort(),
    actionNames.filter((name) => nouns.has(nounOf(name))).sort()
  )
})

t.test('a problem that says when to try again does not say it twice', async (t) => {
  for (const words of [en, de]) {
    for (const code of ['database-unavailable', 'overloaded'] as const) {
      const text = words[`problem.${code}`]
      t.match(text, /Portal/i)
      t.notMatch(text, /try again|versuchen/i)
    }
  }
})

t.test('an unconfirmed address leads to the button that sends the link', async (t) => {
  for (const [words, open, close] of [
    [en, '“', '”'],
    [de, '„', '“']
  ] as const) {
    for (const key of ['your-account', 'confirm-now'] as const) {
      t.match(words['problem.email-unverified'], open + words[key] + close)
    }
  }
})
