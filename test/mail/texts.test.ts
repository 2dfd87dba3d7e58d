import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { renderMail } from '../../src/domain/mail/letters.ts'
import {
  acceptedLocale,
  findLocale,
  loadTexts,
  textProblem,
  TextsError
} from '../../src/domain/mail/texts.ts'
import { de } from '../../src/domain/mail/texts/de.ts'
import { en } from '../../src/domain/mail/texts/en.ts'
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

t.test('both languages have the same keys, and placeholders that exist', async (t) => {
  t.same(Object.keys(de), Object.keys(en))
  for (const [key, text] of [...Object.entries(en), ...Object.entries(de)]) {
    t.equal(textProblem(key, text), undefined, key)
  }
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
    t.same(placeholders(de[key]), placeholders(en[key]), key)
  }
})

t.test('a file replaces single texts and adds languages', async (t) => {
  const texts = loadTexts(
    folderWith(t, {
      'en.json': { 'test.subject': 'Hi from {product}' },
      'de.json': { 'test.subject': 'Probe von {product}' },
      'de-CH.json': { 'common.hello': 'Grüezi,' },
      'fr.json': { 'common.hello': 'Bonjour,' },
      'notes.txt': 'not a language'
    })
  )
  const mailIn = (locale: string) =>
    renderMail(samples.test, 'ada@example.com', { locale }, { ...settings, texts })
  t.same([...texts.keys()].sort(), ['de', 'de-CH', 'en', 'fr'])
  t.match(mailIn('en'), { subject: 'Hi from Kontor & Söhne', text: /^Hello,/m })
  t.match(mailIn('de'), { subject: 'Probe von Kontor & Söhne', text: /^Guten Tag,/m })
  t.match(mailIn('de-CH'), { subject: 'Probe von Kontor & Söhne', text: /^Grüezi,/m })
  t.match(mailIn('fr-CA'), {
    subject: 'Hi from Kontor & Söhne',
    text: /^Bonjour,/m,
    html: /lang="fr"/
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
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
    ['DE', 'de'],
    ['fr', undefined],
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
