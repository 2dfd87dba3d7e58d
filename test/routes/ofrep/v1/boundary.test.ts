// Also on PGlite.

import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../../../db/client.ts'
import { statements } from '../../../../db/statements.ts'
import type { SentStatement } from '../../../../db/statements.ts'
import { createFlag, readTime } from '../../../../src/domain/flags/flags.ts'
import { createSegment, updateSegment } from '../../../../src/domain/flags/segments.ts'
import { onPglite, operator, ownApp, testDatabaseUrl } from '../../../support/app.ts'
import { onOrOff } from '../../../support/flags.ts'

const url = await testDatabaseUrl(t)
const one = await ownApp(t, {}, await openDatabase(url, { poolMax: 4 }))
// PGlite allows one process only, so there it is the same server.
const two = onPglite ? one : await ownApp(t, {}, await openDatabase(url, { poolMax: 4 }))

/** The distinct values of the flags with this prefix, in one response. */
async function valuesOf(app: FastifyInstance, prefix: string, targetingKey = 'ann') {
  const payload = { context: { targetingKey } }
  const response = await app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload })
  const { flags } = response.json() as { flags: { key: string; value: boolean }[] }
  const values = flags.filter(({ key }) => key.startsWith(prefix)).map(({ value }) => value)
  return [...new Set(values)]
}
const flagsWith = (prefix: string, when: object) =>
  Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      createFlag(one.db, operator, {
        ...{ key: `${prefix}-${n}`, ...onOrOff, public: true },
        rules: [{ when, serve: { variant: 'on' } }]
      })
    )
  )

t.test('two instances begin a rule at the same moment, in all flags of a response', async (t) => {
  // Times of rules have milliseconds.
  const from = Math.floor(await readTime(one.db)) + 500
  await flagsWith('timed', { from: new Date(from).toISOString() })
  const seen = { before: 0, after: 0 }
  while (seen.after < 4) {
    for (const app of [one, two]) {
      const start = await readTime(one.db)
      const values = await valuesOf(app, 'timed')
      const end = await readTime(one.db)
      t.equal(values.length, 1, 'no response mixes two states')
      if (end < from) t.same(values, [false])
      if (start >= from) t.same(values, [true])
      seen[start >= from ? 'after' : 'before']++
    }
  }
})

t.test('no response mixes two states of a segment', async (t) => {
  const key = 'pilots'
  await createSegment(one.db, operator, { key, when: { users: ['ann'] } })
  await flagsWith('named', { segmentsAny: [key] })
  let current = true
  const done = { changes: 0 }
  const change = async () => {
    for (; done.changes < 8; done.changes++) {
      const users = [done.changes % 2 ? 'ann' : 'bob']
      await updateSegment(one.db, operator, { key, changes: { when: { users } } })
      current = done.changes % 2 === 1
      for (const app of [one, two]) t.same(await valuesOf(app, 'named'), [current])
    }
  }
  const read = async (app: FastifyInstance) => {
    while (done.changes < 8) t.equal((await valuesOf(app, 'named')).length, 1)
  }
  await Promise.all([change(), read(one), read(two)])
})

const skip = onPglite && 'its statements cannot be watched'
t.test(
  'flags and segments are read by one statement, so they are of one state',
  { skip },
  async (t) => {
    await updateSegment(one.db, operator, { key: 'pilots', changes: { description: 'Changed' } })
    const reads: string[] = []
    const watch = (message: unknown) => {
      const { text } = message as SentStatement
      if (/"(?:feature_flags|segments)"/.test(text)) reads.push(text)
    }
    statements.subscribe(watch)
    t.teardown(() => statements.unsubscribe(watch))
    await valuesOf(one, 'named')
    await valuesOf(one, 'named')
    t.equal(reads.length, 1)
    t.match(reads[0], /"feature_flags".*"segments"/s)
  }
)
