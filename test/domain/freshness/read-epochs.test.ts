import t from 'tap'
import { flagsScope, scopeCount } from '../../../db/schema/epochs.ts'
import { bump } from '../../../src/domain/freshness/epochs.ts'
import { createEpochReader, parseEpochs } from '../../../src/domain/freshness/read-epochs.ts'
import { testDatabase } from '../../support/app.ts'

t.test('epochs are parsed again only after one of them changed', async (t) => {
  const database = await testDatabase(t)
  const sent: (string | null)[] = []
  const { read } = createEpochReader(async (digest) => {
    const row = await database.readEpochs(digest)
    sent.push(row.values)
    return row
  })
  const first = await read()
  const second = await read()
  t.equal(first.values.length, scopeCount)
  t.equal(second.values, first.values, 'the same list')
  t.ok(second.now >= first.now)

  await database.db.transaction(async (tx) => bump(tx, flagsScope))
  const third = await read()
  t.not(third.values[flagsScope], first.values[flagsScope])
  t.same(
    third.values.filter((value, scope) => value !== first.values[scope]).length,
    1,
    'the other scopes are as they were'
  )
  t.same(
    sent.map((values) => values === null),
    [false, true, false]
  )
})

t.test('a failed read is counted, and the next one starts from the known values', async (t) => {
  const database = await testDatabase(t)
  let away = false
  const { read, totals } = createEpochReader(async (digest) => {
    if (away) throw new Error('away')
    return database.readEpochs(digest)
  })
  const before = await read()
  away = true
  await t.rejects(read(), { message: 'away' })
  away = false
  t.equal((await read()).values, before.values)
  t.match(totals, { reads: 3, failed: 1 })
  t.ok(totals.seconds > 0)
})

t.test('missing epochs are an error and equal to no others', async (t) => {
  t.same(parseEpochs('1,-2,3', 3), ['1', '-2', '3'])
  for (const text of [null, '', '1,2']) {
    t.throws(() => parseEpochs(text, 3), { code: 'EPOCHS_MISSING' })
  }
})
