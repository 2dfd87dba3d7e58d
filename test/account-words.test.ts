import t from 'tap'
import { actionNames } from '../db/schema/actions.ts'
import { textOf } from './support/sources.ts'

// The pages are for browsers, so a test reads their sources. The compiler compares the languages.

t.test('words are for actions that are recorded', async (t) => {
  const source = textOf('src/pages/account/words/actions-en.ts')
  const described = [...source.matchAll(/^ {2}'action\.(.+?)':/gm)].map(([, action]) => action)
  t.ok(described.length > 50)
  t.same(
    described.filter((action) => !actionNames.some((name) => name === action)),
    []
  )
})

t.test('a problem that says when to try again does not say it twice', async (t) => {
  for (const language of ['en', 'de']) {
    const source = textOf(`src/client/words/${language}.ts`)
    for (const code of ['database-unavailable', 'overloaded']) {
      const [, words = ''] = new RegExp(`'problem\\.${code}':([^]*?')[,\n]`).exec(source) ?? []
      t.match(words, /Portal/i)
      t.notMatch(words, /try again|versuchen/i, `${code}, ${language}`)
    }
  }
})

t.test('an unconfirmed address leads to the button that sends the link', async (t) => {
  for (const language of ['en', 'de']) {
    const words = textOf(`src/pages/account/words/${language}.ts`)
    const problems = textOf(`src/client/words/${language}.ts`)
    for (const key of ['security:', "'send-verification':"]) {
      const [, label = ''] = new RegExp(`^  ${key} '(.+)'`, 'm').exec(words) ?? []
      t.match(problems, language === 'de' ? `„${label}“` : `“${label}”`)
    }
  }
})
