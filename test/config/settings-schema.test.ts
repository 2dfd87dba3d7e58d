// Not on PGlite: it uses no database.

import t from 'tap'
import { loadConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config.ts'
import { readSettingsSchemas } from '../../src/config/settings-schema.ts'
import { compileSettings } from '../../src/http/settings-rules.ts'
import { schemaFile, settingsFile, settingsOf } from '../support/settings.ts'

type Test = Parameters<typeof settingsFile>[0]

function problemsOf(t: Test, content: unknown): string[] {
  const problems: string[] = []
  readSettingsSchemas(settingsFile(t, content), problems)
  return problems
}

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more
})
const problemOf = (t: Test, property: object) =>
  problemsOf(t, { user: object({ it: property }) }).join()

t.test('a schema with every keyword is accepted', async (t) => {
  const schemas = settingsOf(t, {
    user: object({
      text: { type: 'string', minLength: 1, maxLength: 4000, title: 'T', description: 'D' },
      word: { type: 'string', enum: ['a', 'b'], default: 'b' },
      day: { type: 'string', format: 'date' },
      size: { type: 'integer', minimum: 0, maximum: 9, multipleOf: 3, default: 3 },
      share: { type: 'number', enum: [0.5, 1.5] },
      on: { type: 'boolean', default: true },
      list: {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        items: { type: 'integer' }
      },
      box: object({ inside: { type: 'boolean' } }, { required: ['inside'] })
    })
  })
  t.same(schemas.app, object({}))
  await compileSettings(schemas)
})

t.test('each other keyword stops the start, and is named', async (t) => {
  const others = {
    pattern: 'a',
    patternProperties: {},
    $ref: '#',
    anyOf: [],
    oneOf: [],
    allOf: [],
    if: {},
    not: {},
    const: 1,
    $data: '1',
    nullable: true
  }
  for (const [keyword, value] of Object.entries(others)) {
    const problem = problemOf(t, { type: 'string', maxLength: 9, [keyword]: value })
    t.match(problem, `SETTINGS_SCHEMA user /properties/it has the keyword ${keyword}.`)
  }
  t.match(problemOf(t, { type: 'string', maxLength: 9, 'S3CRET TEXT': 1 }), 'that is unknown')
})

t.test('each mistake is named by its part and pointer, without values', async (t) => {
  const at = (pointer: string, property: object, what: string) =>
    t.match(problemOf(t, property), `SETTINGS_SCHEMA user /properties/it${pointer} ${what}`)
  at('/type', { type: 'null' }, 'must be one of')
  at('/type', { type: ['string'] }, 'must be one of')
  at('', { type: 'string' }, 'needs the keyword maxLength')
  at('/maxLength', { type: 'string', maxLength: 4001 }, 'must be')
  at('/minLength', { type: 'string', maxLength: 3, minLength: 4 }, 'must be')
  at('/format', { type: 'string', format: 'regex' }, 'must be one of date')
  at('/enum', { type: 'string', enum: [] }, 'must NOT have fewer than 1 items')
  at('/enum', { type: 'string', enum: ['a', 'a'] }, 'must NOT have duplicate items')
  at('/enum/0', { type: 'string', enum: ['x'.repeat(101)] }, 'must NOT have more than 100')
  at('/enum', { type: 'string', enum: Array.from({ length: 101 }, String) }, 'must NOT have more')
  at('/enum/0', { type: 'integer', enum: [1.5] }, 'must be integer')
  at('', { type: 'array', items: { type: 'boolean' } }, 'needs the keyword maxItems')
  at('/maxItems', { type: 'array', maxItems: 1001, items: { type: 'boolean' } }, 'must be')
  at('', { type: 'array', maxItems: 1 }, 'needs the keyword items')
  at(
    '/items/type',
    { type: 'array', maxItems: 9, uniqueItems: true, items: object({}) },
    'must be one of string, number, integer, boolean'
  )
  at('/multipleOf', { type: 'integer', multipleOf: 0.07 }, 'must be')
  at('', { type: 'number', multipleOf: 1 }, 'has the keyword multipleOf')
  at('/maximum', { type: 'integer', minimum: 5, maximum: 4 }, 'must be >= 5')
  at('/title', { type: 'boolean', title: 'a\nb' }, 'must have no control characters')
  at('', { type: 'object', properties: {} }, 'needs the keyword additionalProperties')
  at('/additionalProperties', { ...object({}), additionalProperties: true }, 'must be false')
  at('/required', object({}, { required: ['other'] }), 'must list')
  t.match(
    problemsOf(t, { user: object({ a: { type: 'boolean' } }, { required: ['a'] }) }),
    ['SETTINGS_SCHEMA user / has the keyword required'],
    'a schema that rejects an empty document'
  )
  t.notMatch(problemOf(t, { type: 'string', maxLength: 'S3CRET' }), 'S3CRET')
})

t.test('names of properties have one form', async (t) => {
  for (const name of ['constructor', 'prototype', '__proto__', 'A', 'a-b', '1a', 'x'.repeat(41)]) {
    const content = `{"user":{"type":"object","additionalProperties":false,"properties":{"${name}":{"type":"boolean"}}}}`
    t.match(problemsOf(t, content), ['SETTINGS_SCHEMA user /properties has a name'], name)
  }
})

t.test('all mistakes of both parts are listed together', async (t) => {
  const wrong = object({ a: { type: 'string' }, b: { type: 'integer', pattern: 'x' } })
  t.equal(problemsOf(t, { user: wrong, app: wrong }).length, 4)
})

t.test('a part has at most 200 properties on at most 5 levels', async (t) => {
  const many = (count: number) =>
    object(Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, bool])))
  const bool = { type: 'boolean' }
  t.same(problemsOf(t, { user: many(200), app: many(200) }), [])
  t.same(problemsOf(t, { user: many(201) }), ['SETTINGS_SCHEMA user has more than 200 properties'])
  const deep = (levels: number): object => (levels === 1 ? bool : object({ a: deep(levels - 1) }))
  t.same(problemsOf(t, { user: deep(5) }), [])
  t.match(problemsOf(t, { user: deep(6) }), [/\/a is deeper than 5 levels/])
})

t.test('a file has at most 64 KiB', async (t) => {
  const text = JSON.stringify(schemaFile)
  const filled = (bytes: number) => text + ' '.repeat(bytes - text.length)
  t.same(problemsOf(t, filled(65_536)), [])
  t.same(problemsOf(t, filled(65_537)), ['SETTINGS_SCHEMA must name a file of at most 65536 bytes'])
})

t.test('a file that is not a schema is named', async (t) => {
  t.same(problemsOf(t, '['), ['SETTINGS_SCHEMA must name a file with a JSON object'])
  t.same(problemsOf(t, '[]'), ['SETTINGS_SCHEMA must name a file with a JSON object'])
  t.same(problemsOf(t, { users: {} }), ['SETTINGS_SCHEMA has only these parts: user, app'])
  t.match(problemsOf(t, { user: object({}, { type: 'array' }) }), [
    'SETTINGS_SCHEMA user /type must be object'
  ])
  const problems: string[] = []
  readSettingsSchemas('/does/not/exist.json', problems)
  t.same(problems, ['SETTINGS_SCHEMA names a file that cannot be read'])
})

t.test('every default must be valid', async (t) => {
  const problems = problemsOf(t, {
    user: object({
      word: { type: 'string', enum: ['a'], default: 'b' },
      box: object({ size: { type: 'integer', maximum: 3, default: 4 } }),
      text: { type: 'string', maxLength: 9, default: 'a\0' }
    }),
    app: object({ list: { type: 'array', maxItems: 1, items: { type: 'boolean' }, default: [1] } })
  })
  t.same(problems, [
    'SETTINGS_SCHEMA user /properties/word/default is not valid',
    'SETTINGS_SCHEMA user /properties/box/properties/size/default is not valid',
    'SETTINGS_SCHEMA user /properties/text/default is not valid',
    'SETTINGS_SCHEMA app /properties/list/default is not valid'
  ])
})

t.test('an invalid default is reported together with all other mistakes', async (t) => {
  const SETTINGS_SCHEMA = settingsFile(t, {
    user: object({
      word: { type: 'string', enum: ['a'], default: 'b' },
      text: { type: 'string', maxLength: '9', pattern: 'x' },
      list: { type: 'array', maxItems: 1, items: { type: 'null' } },
      box: object({ size: { type: 'size' }, on: { type: 'boolean', default: 1 } })
    })
  })
  const wrong = { NODE_ENV: 'development', DATABASE_URL: 'pglite:memory', PORT: 'x' }
  const problems: string[] = []
  try {
    loadConfig({ ...wrong, SETTINGS_SCHEMA })
  } catch (error) {
    problems.push(...(error as ConfigError).problems)
  }
  const at = (text: string) => problems.filter((problem) => problem.includes(text)).length
  t.equal(at('PORT'), 1)
  t.equal(problems.filter((problem) => problem.endsWith('default is not valid')).length, 2)
  for (const other of ['keyword pattern', '/maxLength must', '/items/type', '/size/type']) {
    t.equal(at(other), 1, other)
  }
})

t.test('a default of a list or an object with a mistake inside is not judged', async (t) => {
  const wrong = object({ 'S3/CRET': { type: 'null', default: 1 } }, { default: {} })
  t.match(problemsOf(t, { user: object({ it: wrong }) }), [
    /\/properties\/it\/properties has a name/
  ])
  const required = object({ in: object({}, { required: ['other'] }) }, { default: { in: {} } })
  t.same(problemsOf(t, { user: object({ it: required }) }), [
    'SETTINGS_SCHEMA user /properties/it/properties/in/required must list names of properties'
  ])
})

t.test('what is wrong in a schema makes no default of it invalid', async (t) => {
  for (const property of [
    { type: 'string', maxLength: 'x', default: 'a' },
    { type: 'string', enum: [], default: 'a' },
    { type: 'string', format: 'regex', default: 'a' },
    { type: 'integer', minimum: '5', multipleOf: 0, default: 4 },
    { type: 'array', maxItems: 1, items: 'text', default: [1] },
    object({ inside: { type: 'null' } }, { default: { inside: 1 }, required: 'inside' })
  ]) {
    const problem = problemOf(t, property)
    t.match(problem, 'SETTINGS_SCHEMA')
    t.notMatch(problem, 'default is not valid')
  }
})

t.test('a default is valid where the same value can be stored', async (t) => {
  const inner = { type: 'integer', minimum: 2, maximum: 8, multipleOf: 2 }
  const properties = {
    text: { type: 'string', minLength: 2, maxLength: 3 },
    word: { type: 'string', enum: ['a', 'bc'] },
    day: { type: 'string', format: 'date' },
    whole: { type: 'integer', enum: [4, 5] },
    share: { type: 'number', minimum: -0.5, maximum: 2.5 },
    even: inner,
    on: { type: 'boolean' },
    list: { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: inner },
    box: object({ even: inner, list: { type: 'array', maxItems: 1, items: { type: 'boolean' } } }),
    strict: object({ on: { type: 'boolean' } }, { required: ['on'] })
  }
  const values = [
    ...['', 'a', 'bc', 'abcd', '💧💧', '💧💧💧', 'a\0b', '\ud800x', '2024-02-29', '2023-02-29'],
    ...[0, -0.5, -1, 2, 2.5, 3, 4, 5, 8, 9, 10, true, false, null, [], {}],
    ...[[2], [2, 2], [2, 4], [2, 4, 6], [3], [true], [true, true], ['2'], [[2]]],
    ...[{ even: 2 }, { even: 3 }, { other: 1 }, { list: [true] }, { list: [1] }, { on: true }],
    ...[{ on: 1 }, { on: true, more: 1 }, JSON.parse('{"__proto__":1}')]
  ]
  const { user } = await compileSettings(settingsOf(t, { user: object(properties) }))
  let valid = 0
  for (const [name, schema] of Object.entries(properties)) {
    for (const value of values) {
      const canBeStored = user.check({ [name]: value }, new Set([name])).length === 0
      const isReported = problemOf(t, { ...schema, default: value }) !== ''
      t.equal(isReported, !canBeStored, `${name}: ${JSON.stringify(value)}`)
      if (canBeStored) valid++
    }
  }
  t.ok(valid >= 20, `${valid} were valid`)
})

t.test('formats are those of the portal', async (t) => {
  const schemas = settingsOf(t, {
    user: object(
      Object.fromEntries(
        ['date', 'date-time', 'uuid', 'email', 'uri'].map((format) => [
          format.replace('-t', 'T'),
          { type: 'string', format }
        ])
      )
    )
  })
  const { user } = await compileSettings(schemas)
  const isValid = (name: string, value: string) =>
    user.check({ [name]: value }, new Set([name])).length === 0
  const id = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
  for (const [name, right, ...wrong] of [
    ['date', '2024-02-29', '2023-02-29', '2023-2-1', '2024-02-29T00:00'],
    ['dateTime', '2026-01-31T09:30:00.000+01:00', '2026-01-31', '2026-01-31T25:00:00Z'],
    ['dateTime', '2026-01-31T09:30:00Z', '2026-02-30T09:30:00Z', '2026-01-31 09:30:00Z'],
    ['uuid', id, id.toUpperCase(), `{${id}}`],
    ['email', 'ada@example.com', 'ada', 'ada@localhost'],
    ['uri', 'https://example.com/a', 'http://example.com', 'https://a:b@example.com', '/a']
  ] as [string, string, ...string[]][]) {
    t.ok(isValid(name, right), right)
    for (const each of wrong) t.notOk(isValid(name, each), each)
  }
})

t.test('the configuration has the schemas, or lists what is wrong with them', async (t) => {
  const environment = { NODE_ENV: 'development', DATABASE_URL: 'pglite:memory' }
  t.equal(loadConfig(environment).settingsSchemas, undefined)
  const SETTINGS_SCHEMA = settingsFile(t, schemaFile)
  t.match(loadConfig({ ...environment, SETTINGS_SCHEMA }).settingsSchemas, schemaFile)
  t.throws(() => loadConfig({ ...environment, SETTINGS_SCHEMA: settingsFile(t, {}) + 'x' }), {
    message: /SETTINGS_SCHEMA names a file that cannot be read/
  })
})
