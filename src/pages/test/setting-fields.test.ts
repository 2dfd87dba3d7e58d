import fc from 'fast-check'
import t from 'tap'
import type { Test } from 'tap'
import type { SettingSchema } from '../../common/settings.ts'
import { mergePatch } from '../../common/settings.ts'
import { dateTimeOf, fieldsOf, localTimeOf, patchOf } from '../shared/setting-fields.ts'
import type { Document, SettingEntry, SettingField } from '../shared/setting-fields.ts'

const object = (
  properties: Record<string, SettingSchema>,
  more: Partial<SettingSchema> = {}
): SettingSchema => ({ type: 'object', additionalProperties: false, properties, ...more })
const short: SettingSchema = { type: 'string', maxLength: 40 }
const long: SettingSchema = { type: 'string', maxLength: 4000 }
const list = (items: SettingSchema): SettingSchema => ({ type: 'array', maxItems: 20, items })

/** All controls. */
const controlsOf = (fields: readonly SettingEntry[]): SettingField[] =>
  fields.flatMap((field) => (field.kind === 'group' ? controlsOf(field.fields) : [field]))

/** The values that a browser sends for untouched controls. A text that it would change is an error. */
function textsOf(fields: readonly SettingEntry[]) {
  const texts: Record<string, string> = {}
  for (const { pointer, kind, text } of controlsOf(fields)) {
    const form = {
      text: /^[^\r\n]*$/,
      area: /^[^\r]*$/,
      lines: /^[^\r]*$/,
      json: /^[^\r]*$/,
      number: /^(-?(\d+|\d*\.\d+)([eE][-+]?\d+)?)?$/,
      date: /^(\d{4}-\d\d-\d\d)?$/,
      'date-time': /^(\d{4}-\d\d-\d\dT\d\d:\d\d(:(?!00)\d\d)?)?$/,
      choice: /^/,
      checkbox: /^(on)?$/
    }[kind]
    if (!form.test(text)) throw new Error(`no ${kind} has the text ${JSON.stringify(text)}`)
    if (kind !== 'checkbox' || text === 'on') texts[pointer] = text.replaceAll('\n', '\r\n')
  }
  return texts
}

const schema = object({
  startPage: { type: 'string', title: 'First page', enum: ['inbox', ''], default: 'inbox' },
  isLoud: { type: 'boolean', description: 'Plays sounds' },
  rowsPerPage: { type: 'integer', minimum: 1 },
  apiURL2: { type: 'string', format: 'uri' },
  note: long,
  birthday: { type: 'string', format: 'date' },
  wakeAt: { type: 'string', format: 'date-time' },
  columns: list(short),
  servers: list(object({ host: short })),
  limits: object({ seats: { type: 'number', enum: [5, 10] } })
})
const kindsFor = (document: Document) =>
  Object.fromEntries(
    controlsOf(fieldsOf(schema, document)).map((each) => [each.pointer, each.kind])
  )
const patched = (document: Document, changes: Record<string, string>, of = schema) => {
  const fields = fieldsOf(of, document)
  return patchOf(fields, { ...textsOf(fields), ...changes })
}

t.test('each type of a schema has its control, with the title or the name in words', async (t) => {
  t.same(kindsFor({}), {
    '/startPage': 'choice',
    '/isLoud': 'checkbox',
    '/rowsPerPage': 'number',
    '/apiURL2': 'text',
    '/note': 'area',
    '/birthday': 'date',
    '/wakeAt': 'date-time',
    '/columns': 'lines',
    '/servers': 'json',
    '/limits/seats': 'choice'
  })
  t.same(
    fieldsOf(schema, {}).map(({ label }) => label),
    [
      ...['First page', 'Is loud', 'Rows per page', 'Api URL 2', 'Note', 'Birthday', 'Wake at'],
      ...['Columns', 'Servers', 'Limits']
    ]
  )
  t.equal(fieldsOf(schema, {})[1]?.hint, 'Plays sounds')
})

t.test('a value that its control cannot show is JSON, and nothing of it is lost', async (t) => {
  for (const [pointer, document] of [
    ['/apiURL2', { apiURL2: 'two\nlines' }],
    ['/note', { note: 'a\rb' }],
    ['/columns', { columns: ['a\nb'] }],
    ['/columns', { columns: [''] }],
    ['/columns', { columns: [' padded'] }],
    ['/birthday', { birthday: '0000-01-01' }],
    ['/wakeAt', { wakeAt: '0000-01-01T00:00:00Z' }]
  ] as const) {
    t.equal(kindsFor(document)[pointer], 'json', JSON.stringify(document))
    t.same(patched(document, {}), {})
  }
})

t.test('only what was changed is in the patch, and an emptied field is null', async (t) => {
  const document = {
    startPage: 'inbox',
    isLoud: true,
    note: 'a\nb',
    columns: ['a', 'b'],
    limits: { seats: 5 }
  }
  t.same(patched(document, { '/note': 'a\r\nc' }), { note: 'a\nc' })
  t.same(patched(document, { '/note': ' ', '/columns': '\n' }), { note: null, columns: null })
  t.same(patched(document, { '/columns': ' b \n\na' }), { columns: ['b', 'a'] })
  t.same(patched(document, { '/startPage': '""' }), { startPage: '' })
  t.same(patched(document, { '/limits/seats': '10' }), { limits: { seats: 10 } })
  t.same(patched(document, { '/limits/seats': '' }), { limits: { seats: null } })
  t.same(patched(document, { '/rowsPerPage': '20' }), { rowsPerPage: 20 })
  t.same(patched(document, { '/servers': '[{"host":"a"}]' }), { servers: [{ host: 'a' }] })
  const { '/isLoud': _, ...texts } = textsOf(fieldsOf(schema, document))
  t.same(patchOf(fieldsOf(schema, document), texts), { isLoud: false })
})

t.test('an unreadable value is sent as it is, and never as null', async (t) => {
  t.same(patched({}, { '/rowsPerPage': '1e999', '/servers': '[{' }), {
    rowsPerPage: '1e999',
    servers: '[{'
  })
  const numbers = object({ sizes: list({ type: 'number' }) })
  t.same(patched({}, { '/sizes': '1\nmany\n-2.5' }, numbers), { sizes: [1, 'many', -2.5] })
})

t.test('an object that counts only as a whole is sent as a whole', async (t) => {
  const area = object(
    { size: { type: 'integer' }, isOpen: { type: 'boolean' }, place: object({ town: short }) },
    { default: { size: 3, place: { town: 'Turin' } } }
  )
  const shown = { area: { size: 3, place: { town: 'Turin' } } }
  t.same(patched(shown, { '/area/place/town': 'Bern' }, object({ area })), {
    area: { size: 3, place: { town: 'Bern' } }
  })
  const needed = object({
    area: object(
      { isOpen: { type: 'boolean' }, size: { type: 'integer' } },
      { required: ['isOpen'] }
    )
  })
  t.same(patched({}, { '/area/size': '4' }, needed), { area: { isOpen: false, size: 4 } })
  t.same(patched(shown, {}, object({ area })), {})
})

t.test('a time is shown as it is here, and changes only when another is entered', async (t) => {
  const times = object({ at: { type: 'string', format: 'date-time' } })
  const at = '2026-01-31T09:30:00.125+05:30'
  t.same(patched({ at }, {}, times), {})
  const local = localTimeOf(at) ?? ''
  t.equal(Date.parse(local), Math.floor(Date.parse(at) / 60_000) * 60_000)
  t.same(patched({ at }, { '/at': '2026-07-01T10:00' }, times), {
    at: new Date('2026-07-01T10:00').toISOString()
  })
  t.equal(dateTimeOf('soon'), undefined)
})

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((each) => each.isWellFormed())
const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,9}$/).filter((each) => !(each in {}))
const pair = <T>(schema: SettingSchema, value: fc.Arbitrary<T>) =>
  value.map((value) => ({ schema, value: value as unknown }))
const day = fc.date({
  min: new Date('0000-01-01T00:00:00Z'),
  noInvalidDate: true,
  max: new Date('9999-12-31T23:59:59Z')
})
const scalar = fc.oneof(
  pair(short, text),
  pair(long, text),
  pair(short, fc.constantFrom('a\nb', '\r', ' a', '', '12', 'true')),
  pair(
    { type: 'number' },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0)
  ),
  pair({ type: 'integer' }, fc.maxSafeInteger()),
  pair({ type: 'boolean' }, fc.boolean()),
  pair({ type: 'string', enum: ['', 'a', '"', '1'] }, fc.constantFrom('', 'a', '"', '1')),
  pair(
    { type: 'string', format: 'date' },
    day.map((each) => each.toISOString().slice(0, 10))
  ),
  pair(
    { type: 'string', format: 'date-time' },
    day.map((each) => each.toISOString())
  )
)
const many = scalar.chain(({ schema, value }) =>
  fc.nat(3).map((length) => ({
    schema: list(schema),
    value: Array.from({ length }, () => value) as unknown
  }))
)
const objectWith = (property: fc.Arbitrary<{ schema: SettingSchema; value: unknown }>) =>
  fc.dictionary(name, fc.tuple(property, fc.boolean()), { maxKeys: 4 }).map((entries) => ({
    schema: object(
      Object.fromEntries(Object.entries(entries).map(([key, [{ schema }]]) => [key, schema]))
    ),
    value: Object.fromEntries(
      Object.entries(entries).flatMap(([key, [{ value }, isThere]]) =>
        isThere ? [[key, value]] : []
      )
    ) as unknown
  }))
const lists = objectWith(scalar).map(({ schema, value }) => ({
  schema: list(schema),
  value: [value] as unknown
}))
const documents = objectWith(fc.oneof(scalar, many, lists, objectWith(fc.oneof(scalar, many))))

function holds<T>(t: Test, property: fc.IProperty<T>) {
  const seed = Number(process.env.SEED ?? Date.now())
  t.comment(`seed ${seed}`)
  fc.assert(property, { numRuns: 60, seed })
}

t.test('what a form shows and reads back unchanged is an empty patch', async (t) => {
  holds(
    t,
    fc.property(documents, ({ schema, value }) => {
      t.strictSame(patched(value as Document, {}, schema), {})
    })
  )
})

t.test('what is entered in one control is what the patch stores there alone', async (t) => {
  holds(
    t,
    fc.property(documents, fc.nat(), ({ schema, value }, which) => {
      const document = value as Document
      const before = controlsOf(fieldsOf(schema, {}))
      const field = controlsOf(fieldsOf(schema, document))[which % (before.length || 1)]
      const empty = before.find(
        ({ pointer, kind }) => pointer === field?.pointer && kind === field.kind
      )
      // It belongs to another control, or has no value: there is nothing to enter.
      if (!field || !empty || field.text.trim() === '') return
      const patch = patchOf(fieldsOf(schema, {}), { [field.pointer]: field.text })
      const stored = controlsOf(fieldsOf(schema, mergePatch({}, patch) as Document))
      for (const { pointer, text } of stored) {
        t.equal(text, pointer === field.pointer ? field.text : '')
      }
    })
  )
})
