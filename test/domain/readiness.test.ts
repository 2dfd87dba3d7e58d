// Not on PGlite: it uses no database.

import t from 'tap'
import { createReadiness } from '../../src/domain/readiness.ts'
import type { UnreadyReason } from '../../src/domain/readiness.ts'

/** An instance with a database controlled by the test. */
function anInstance() {
  const database = { answers: true, upToDate: true }
  const changes: (UnreadyReason | undefined)[] = []
  const answer = async <T>(value: T) => {
    if (!database.answers) throw new Error('no answer')
    return value
  }
  const readiness = createReadiness({
    isUpToDate: () => answer(database.upToDate),
    read: () => answer('epochs'),
    onChange: (reason) => changes.push(reason)
  })
  return { database, changes, ...readiness }
}

t.test('an instance is ready after it has seen an up-to-date database', async (t) => {
  const { reason, look, changes } = anInstance()
  t.equal(reason(), 'starting')
  await look()
  t.equal(reason(), undefined)
  await look()
  t.same(changes, [undefined], 'a change is reported once')
})

t.test('an old schema is reported until it is migrated', async (t) => {
  const { database, reason, look } = anInstance()
  database.upToDate = false
  await look()
  t.equal(reason(), 'migrations')
  database.upToDate = true
  await look()
  t.equal(reason(), undefined)
})

t.test('the third failure in a row is an outage, and one success ends it', async (t) => {
  const { database, reason, look } = anInstance()
  await look()
  database.answers = false
  await look()
  await look()
  t.equal(reason(), undefined)
  database.answers = true
  await look()
  database.answers = false
  await look()
  await look()
  t.equal(reason(), undefined, 'not in a row')
  await look()
  t.equal(reason(), 'database')
  database.answers = true
  await look()
  t.equal(reason(), undefined)
})

t.test('an instance that starts without a database reports it at once', async (t) => {
  const { database, reason, look } = anInstance()
  database.answers = false
  await look()
  t.equal(reason(), 'database')
})

t.test('a draining instance never becomes ready again', async (t) => {
  const { reason, look, drain } = anInstance()
  await look()
  drain()
  t.equal(reason(), 'draining')
  await look()
  t.equal(reason(), 'draining')
})
