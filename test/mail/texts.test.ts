import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { renderMail } from '../../src/domain/mail/letters.ts'
import {
  acceptedLocale,
  english,
  findLocale,
  loadTexts,
  missingTexts,
  textProblem,
  TextsError
} from '../../src/domain/mail/texts.ts'
import { temporaryFolder } from '../support/app.ts'
import { samples, settings } from './samples.ts'

function folderWith(t: Test, files: Record<string, unknown>) {
  const folder = temporaryFolder(t)
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

const problemsOf = (directory: string) => {
  try {
    loadTexts(directory)
    return []
  } catch (error) {
    return error instanceof TextsError ? error.problems : [String(error)]
  }
}

t.test('the languages of the portal lack no text and no placeholder', async (t) => {
  t.ok(english['recovery.subject'] && english['your-account'] && english['problem.rate-limited'])
  const placeholders = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort().join()
  const all = loadTexts()
  t.same([...all.keys()].sort(), ['de', 'en', 'es', 'fr'])
  for (const [tag, texts] of all) {
    if (tag !== 'en') t.same(missingTexts(tag), {}, tag)
    const wrong = Object.entries(texts).filter(
      ([key, text]) =>
        textProblem(key, text) !== undefined || placeholders(text) !== placeholders(english[key])
    )
    t.same(wrong, [], tag)
  }
})

t.test('a language lacks the texts that neither its file nor the portal has', async (t) => {
  const folder = folderWith(t, {
    'en.json': { 'test.subject': 'Hi' },
    'it.json': { 'common.hello': 'Buongiorno,', security: 'Sicurezza' },
    'it-CH.json': { sessions: 'Sessioni' },
    'de.json': {}
  })
  const lacked = missingTexts('it', folder)
  t.equal(Object.keys(lacked).length, Object.keys(english).length - 2)
  t.match(lacked, { 'test.subject': 'Hi', sessions: 'Sessions', 'problem.rate-limited': /^\w/ })
  t.notOk('security' in lacked || 'common.hello' in lacked)
  t.notOk(
    'sessions' in missingTexts('it-CH', folder) || 'security' in missingTexts('it-CH', folder)
  )
  t.same(missingTexts('de', folder), {})
  t.same(missingTexts('fr-CA', folder), {})
})

t.test('a file replaces single texts and adds languages', async (t) => {
  const texts = loadTexts(
    folderWith(t, {
      'en.json': { 'test.subject': 'Hi from {product}' },
      'de.json': { 'test.subject': 'Probe von {product}' },
      'de-CH.json': { 'common.hello': 'Grüezi,' },
      'nl.json': { 'common.hello': 'Goedendag,' },
      'notes.txt': 'not a language'
    })
  )
  const mailIn = (locale: string) =>
    renderMail(samples.test, 'ada@example.com', { locale }, { ...settings, texts })
  t.same([...texts.keys()].sort(), ['de', 'de-CH', 'en', 'es', 'fr', 'nl'])
  t.match(mailIn('en'), { subject: 'Hi from Kontor & Söhne', text: /^Hello,/m })
  t.match(mailIn('de'), { subject: 'Probe von Kontor & Söhne', text: /^Guten Tag!/m })
  t.match(mailIn('de-CH'), { subject: 'Probe von Kontor & Söhne', text: /^Grüezi,/m })
  t.match(mailIn('nl-BE'), {
    subject: 'Hi from Kontor & Söhne',
    text: /^Goedendag,/m,
    html: /lang="nl"/
  })
})

t.test('a text with markup is text', async (t) => {
  const texts = loadTexts(folderWith(t, { 'en.json': { 'test.body': '<a href="x">a & b</a>' } }))
  const { text, html } = renderMail(samples.test, 'ada@example.com', {}, { ...settings, texts })
  t.match(text, '\n<a href="x">a & b</a>\n')
  t.match(html, '<p>&lt;a href=&quot;x&quot;&gt;a &amp; b&lt;/a&gt;</p>')
})

t.test('mistakes are reported all at once, with file and key', async (t) => {
  const folder = folderWith(t, {
    'en.json': {
      'test.subjekt': 'x',
      'test.subject': 'Hi {name}',
      'test.body': 'Hi {product',
      'common.hello': 7,
      'common.footer': 'one\ntwo',
      'fact.time': ' ',
      constructor: 'x'
    },
    'de.json': '{',
    'fr.json': '[]',
    'en_US.json': {}
  })
  t.same(
    [...problemsOf(folder)].sort(),
    [
      'de.json: cannot be read as JSON',
      'en.json: common.footer must have at most 1000 characters, without line breaks',
      'en.json: common.hello must be a text',
      'en.json: constructor is not the key of a text',
      'en.json: fact.time must be a text',
      'en.json: test.body has {product, but may have only {product}',
      'en.json: test.subject has {name}, but may have only {product}',
      'en.json: test.subjekt is not the key of a text',
      'en_US.json: the name must be a language tag like fr.json or pt-BR.json',
      'fr.json: must be an object of texts'
    ].map((problem) => path.join(folder, problem))
  )
  t.equal(
    problemsOf(folderWith(t, { 'en.json': { 'fact.time': '{x}' } })).length,
    1,
    'a text without placeholders may have none'
  )
  t.match(problemsOf(path.join(folder, 'missing')), [/MAIL_TEXTS names a directory that cannot/])
  mkdirSync(path.join(folder, 'it.json'))
  t.match(problemsOf(folder).join('\n'), /it\.json: cannot be read$/m)
})

t.test('a language is found by its tag or by its language alone', async (t) => {
  const texts = loadTexts(folderWith(t, { 'pt-BR.json': {} }))
  t.equal(findLocale(texts, 'de-AT'), 'de')
  t.equal(findLocale(texts, 'pt-BR'), 'pt-BR')
  t.equal(findLocale(texts, 'pt'), undefined)
  t.equal(findLocale(texts, null), undefined)
})

t.test('Accept-Language gives the first language that there are texts in', async (t) => {
  const texts = loadTexts()
  for (const [header, locale] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['it-CH, it;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
    ['fr-CH, en', 'fr'],
    ['DE', 'de'],
    ['it', undefined],
    ['', undefined],
    [undefined, undefined],
    ['*', undefined],
    ['en\r\nBcc: victim@example.org', undefined],
    ['../../etc/passwd', undefined],
    ['__proto__,constructor', undefined],
    [`${'x,'.repeat(5000)}de`, undefined]
  ] as const) {
    t.equal(acceptedLocale(texts, header), locale, `${header}`.slice(0, 60))
  }
})
