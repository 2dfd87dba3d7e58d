import { and, eq, isNotNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { flagRevisions } from '../../../db/schema/flags.ts'
import type { Rule } from '../../../db/schema/flags.ts'
import { createFlag, deleteFlag, findFlag, updateFlag } from '../../../src/domain/flags/flags.ts'
import { restoreFlag } from '../../../src/domain/flags/restore.ts'
import { tidyRevisions } from '../../../src/domain/jobs/sweep.ts'
import { operator, testDatabase } from '../../support/app.ts'
import { aFlag, onOrOff } from '../../support/flags.ts'

const database = await testDatabase(t)
const { db } = database

const versionsOf = async (key: string) =>
  (
    await db
      .select({ version: flagRevisions.version })
      .from(flagRevisions)
      .where(eq(flagRevisions.key, key))
      .orderBy(flagRevisions.version)
  ).map(({ version }) => version)

const ruleOf = (value: number): Rule => ({
  when: { attributes: [{ name: 'n', op: 'in', values: [value, `"${value}`, value > 2] }] },
  serve: value % 2 ? { variant: 'on' } : { split: [{ variant: 'off', weight: 100_000 }] }
})
const changes = fc.record(
  {
    description: fc
      .string({ unit: 'binary', maxLength: 20 })
      .filter((text) => !/[\0\p{Cs}]/u.test(text)),
    state: fc.constantFrom('enabled' as const, 'disabled' as const),
    public: fc.boolean(),
    defaultVariant: fc.constantFrom('on', 'off'),
    offVariant: fc.constantFrom('on', 'off'),
    rules: fc.array(fc.nat(5).map(ruleOf), { maxLength: 3 }),
    variants: fc.record(
      { on: fc.boolean(), off: fc.boolean(), more: fc.constantFrom(true, null) },
      { requiredKeys: [] }
    )
  },
  { requiredKeys: [] }
)
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ update: changes }) },
  { weight: 2, arbitrary: fc.record({ restore: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constant(true) }) }
)

t.test('any version of a random history comes back as a whole', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), async (history) => {
      const { key } = aFlag()
      const saved = new Map<number, object>()
      const remember = ({ version, revision, createdAt, updatedAt, ...flag }: Flag) => {
        t.equal(revision, String(version))
        saved.set(version, flag)
        return version
      }
      let current = remember(await createFlag(db, operator, { key, ...onOrOff }))
      let exists = true
      for (const step of history) {
        if ('remove' in step) {
          if (exists) await deleteFlag(db, operator, { key })
          exists = false
        } else if ('update' in step && exists) {
          current = remember(await updateFlag(db, operator, { key, changes: step.update }))
        } else if ('restore' in step) {
          const versions = [...saved.keys()]
          const version = versions[step.restore % versions.length] ?? 1
          const restored = await restoreFlag(db, operator, { key, version })
          t.ok(!exists || restored.version >= current, 'versions only grow')
          current = remember(restored)
          exists = true
          t.same(saved.get(current), saved.get(version))
        }
      }
      for (const [version, flag] of saved) {
        const { version: made } = await restoreFlag(db, operator, { key, version })
        const { revision, createdAt, updatedAt, version: found, ...now } = await findFlag(db, key)
        t.same(now, flag, 'the whole flag')
        t.equal(found, made)
      }
      const versions = await versionsOf(key)
      t.same(
        versions,
        versions.map((_, n) => n + 1),
        'without a gap'
      )
    }),
    { numRuns: 8 }
  )
})
type Flag = Awaited<ReturnType<typeof findFlag>>

/** Copies the first revision of a flag as versions from 1 to `to`, as old as this. */
async function fill(key: string, to: number, days: number) {
  await db.execute(sql`
    insert into flag_revisions (kind, key, version, change, fields, definition, at, actor_id, actor_label)
    select kind, key, n, 'update', fields, definition, now() - make_interval(days => ${days}::int),
      gen_random_uuid(), 'ada'
    from flag_revisions, generate_series(2, ${to}::int) as n where key = ${key} and version = 1`)
  await db.execute(sql`update feature_flags set version = ${to}::int where key = ${key}`)
}

t.test('a change keeps the newest thousand versions', async (t) => {
  const { key } = await createFlag(db, operator, { key: 'many', ...onOrOff })
  await fill(key, 1000, 0)
  await updateFlag(db, operator, { key, changes: { description: 'B' } })
  const versions = await versionsOf(key)
  t.same([versions.length, versions[0], versions.at(-1)], [1000, 2, 1001])
})

t.test(
  'the sweep keeps the newest hundred versions of a key, and others until they are old',
  async (t) => {
    const old = await createFlag(db, operator, { key: 'old', ...onOrOff })
    await fill(old.key, 250, 181)
    const young = await createFlag(db, operator, { key: 'young', ...onOrOff })
    await fill(young.key, 250, 179)
    let rounds = 0
    while (!(await tidyRevisions(db, 180, 40)).isDone) rounds++
    t.ok(rounds > 2, 'in batches')
    const versions = await versionsOf(old.key)
    // The first one was written now.
    t.same([versions.length, versions[1], versions.at(-1)], [101, 151, 250])
    t.equal((await versionsOf(young.key)).length, 250)
    const named = async (key: string) =>
      db.$count(flagRevisions, and(eq(flagRevisions.key, key), eq(flagRevisions.actorLabel, 'ada')))
    t.same([await named(old.key), await named(young.key)], [0, 249], 'names are removed as well')
    const known = async (key: string) =>
      db.$count(flagRevisions, and(eq(flagRevisions.key, key), isNotNull(flagRevisions.actorId)))
    t.same([await known(old.key), await known(young.key)], [0, 249], 'and so are ids')
  }
)

t.test(
  'the history of a deleted flag ends with the retention, unless the flag exists',
  async (t) => {
    const age = (key: string) =>
      db
        .update(flagRevisions)
        .set({ at: sql`now() - interval '181 days'` })
        .where(eq(flagRevisions.key, key))
    for (const key of ['gone', 'back']) {
      await createFlag(db, operator, { key, ...onOrOff })
      await deleteFlag(db, operator, { key })
    }
    await createFlag(db, operator, { key: 'back', ...onOrOff })
    await createFlag(db, operator, { key: 'just-gone', ...onOrOff })
    await age('just-gone')
    await deleteFlag(db, operator, { key: 'just-gone' })
    await age('gone')
    await age('back')
    await tidyRevisions(db, 180, 1000)
    t.same(await versionsOf('gone'), [])
    t.same(await versionsOf('back'), [1, 2, 3])
    t.same(await versionsOf('just-gone'), [1, 2])
  }
)
