import fc from 'fast-check'
import t from 'tap'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import type { SettingSchema } from '../../../src/common/settings.ts'
import { changeSettings, readSettings } from '../../../src/domain/settings/settings.ts'
import { compileSettings } from '../../../src/http/settings-rules.ts'
import { aUser, operator, testDatabase } from '../../support/app.ts'
import { settingsOf } from '../../support/settings.ts'

/** A schema with a value that it accepts. */
interface Pair {
  schema: SettingSchema
  value: unknown
}

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((each) => each.isWellFormed() && !each.includes('\0'))
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,9}$/).filter((each) => !(each in {}))

const scalar: fc.Arbitrary<Pair> = fc.oneof(
  fc.record({ schema: fc.constant({ type: 'string', maxLength: 40 } as const), value: text }),
  fc.record({ schema: fc.constant({ type: 'number' } as const), value: number }),
  fc.record({ schema: fc.constant({ type: 'integer' } as const), value: fc.maxSafeInteger() }),
  fc.record({ schema: fc.constant({ type: 'boolean' } as const), value: fc.boolean() })
)
const withDefault = scalar.chain((pair) =>
  fc.boolean().map((has) => ({
    ...pair,
    schema: has ? { ...pair.schema, default: pair.value } : pair.schema
  }))
)
const list = scalar.chain(({ schema, value }) =>
  fc.nat(4).map((length) => ({
    schema: { type: 'array' as const, maxItems: 4, items: schema },
    value: Array.from({ length }, () => value)
  }))
)
const objectOf = (property: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> =>
  fc
    .array(fc.tuple(name, property, fc.boolean()), { maxLength: 4 })
    .map((entries) => new Map(entries.map(([key, pair, isThere]) => [key, { pair, isThere }])))
    .map((entries) => ({
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries([...entries].map(([key, { pair }]) => [key, pair.schema]))
      },
      value: Object.fromEntries(
        [...entries].flatMap(([key, { pair, isThere }]) => (isThere ? [[key, pair.value]] : []))
      )
    }))
const part = objectOf(fc.oneof(withDefault, list, objectOf(withDefault)))

/** A read should show the value, and the default of each scalar that it leaves out. */
function expected({ properties = {} }: SettingSchema, value: SettingsDocument): SettingsDocument {
  const shown = { ...value }
  for (const [key, property] of Object.entries(properties)) {
    if (property.type === 'object') {
      const inside = expected(property, (value[key] ?? {}) as SettingsDocument)
      if (key in value || Object.keys(inside).length > 0) shown[key] = inside
    } else if (!(key in value) && property.default !== undefined) shown[key] = property.default
  }
  return shown
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

t.test('every accepted document reads back equal, with its defaults', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const seed = Number(process.env.SEED ?? Date.now())
  t.comment(`seed ${seed}`)
  await fc.assert(
    fc.asyncProperty(part, async ({ schema, value }) => {
      const settings = await compileSettings(settingsOf(t, { user: schema }))
      const { id: userId } = await aUser(database)
      const of = { userId, part: 'user' as const }
      const document = asJson(value) as SettingsDocument
      const changed = await changeSettings({ db, settings }, operator, {
        ...of,
        permission: 'users:update',
        change: { document }
      })
      const read = await readSettings(db, settings, of)
      t.strictSame(read.stored, document)
      t.strictSame(read.document, asJson(expected(schema, document)))
      t.strictSame(changed.document, read.document)
      t.strictSame(read.rejected, [])
    }),
    { numRuns: 12, seed }
  )
})
