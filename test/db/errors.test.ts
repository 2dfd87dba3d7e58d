// Not on PGlite: it uses no database.

import t from 'tap'
import { databaseCode, fromDatabase, isDatabaseUnavailable, isRetryable } from '../../db/errors.ts'

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, severity: 'ERROR', ...more })
const wrapped = (cause: unknown, times: number): Error =>
  times === 0 ? (cause as Error) : new Error('wrapped', { cause: wrapped(cause, times - 1) })

t.test('an error is recognized by its causes', async (t) => {
  for (const times of [0, 1, 3]) {
    t.equal(databaseCode(wrapped(coded('23505'), times)), '23505')
    t.equal(isDatabaseUnavailable(wrapped(coded('57P01'), times)), true)
    const stale = coded('0A000', { routine: 'RevalidateCachedQuery' })
    t.equal(isRetryable(wrapped(stale, times)), true)
    t.equal(isRetryable(wrapped(coded('0A000'), times)), false)
  }
})

t.test('an error that is its own cause is one like others', async (t) => {
  const circle = (error: Error) => Object.assign(error, { cause: wrapped(error, 1) })
  t.equal(databaseCode(circle(new Error('of something else'))), undefined)
  t.equal(isRetryable(circle(coded('0A000'))), false)
  const lost = Object.assign(circle(new Error('lost')), { code: 'ENOENT' })
  t.equal(isDatabaseUnavailable(lost), false)
  t.equal(isDatabaseUnavailable(fromDatabase(lost)), false, 'a file that is missing')
  t.equal(isDatabaseUnavailable(fromDatabase(Object.assign(lost, { code: 'ECONNRESET' }))), true)
})
