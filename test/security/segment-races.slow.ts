import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { DomainError } from '../../src/domain/errors.ts'
import { createFlag, deleteFlag, updateFlag } from '../../src/domain/flags/flags.ts'
import { createSegment, deleteSegment } from '../../src/domain/flags/segments.ts'
import { onPglite, operator, testDatabaseUrl } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'

// A rule never names a segment or a role that is gone, whichever of the two changes comes first.

const key = 'contested'
const kinds = {
  segment: {
    when: { segmentsAny: [key] },
    create: (db: Db) => createSegment(db, operator, { key, when: { users: ['ann'] } }),
    remove: (db: Db) => deleteSegment(db, operator, { key })
  },
  role: {
    when: { rolesAny: [key] },
    create: (db: Db) => createRole(db, operator, { key, name: 'Role' }),
    remove: (db: Db) => deleteRole(db, operator, { key })
  }
}
const skip = onPglite ? 'PGlite runs one transaction at a time' : false

for (const [kind, level, rounds] of [
  ['segment', 'read committed', 200],
  ['segment', 'repeatable read', 40],
  ['segment', 'serializable', 40],
  ['role', 'read committed', 200],
  ['role', 'repeatable read', 40],
  ['role', 'serializable', 40]
] as const) {
  const { when, create, remove } = kinds[kind]
  const rules = [{ when, serve: { variant: 'on' } }]
  const title = `the deletion of a ${kind} and a new rule exclude each other at ${level}`
  t.test(title, { skip }, async (t) => {
    const url = await testDatabaseUrl(t)
    const owner = await openDatabase(url, { poolMax: 1 })
    const name = new URL(url).pathname.slice(1)
    const setting = `alter database "${name}" set default_transaction_isolation = '${level}'`
    await owner.db.execute(sql.raw(setting))
    await owner.close()
    const serverIsolation = level !== 'read committed'
    const database = await openDatabase(url, { poolMax: 3, serverIsolation })
    t.teardown(() => database.close())
    const { db } = database
    const seen = { kept: 0, deleted: 0 }
    await createFlag(db, operator, { key: 'x', ...onOrOff })
    await create(db)
    for (let round = 0; round < rounds; round++) {
      const created = round % 2 === 1
      if (created) await deleteFlag(db, operator, { key: 'x' })
      const [named, deleted] = await Promise.allSettled([
        created
          ? createFlag(db, operator, { key: 'x', ...onOrOff, rules })
          : updateFlag(db, operator, { key: 'x', changes: { rules } }),
        remove(db)
      ])
      // Exactly one of them succeeds.
      if (named.status === deleted.status) t.fail(`round ${round}: both ${named.status}`)
      const [refused] = [named, deleted].filter((each) => each.status === 'rejected')
      if (!(refused?.reason instanceof DomainError)) throw refused?.reason
      if (deleted.status === 'rejected') {
        t.equal(deleted.reason.code, `${kind}-in-use`)
        seen.kept++
        await updateFlag(db, operator, { key: 'x', changes: { rules: [] } })
      } else {
        seen.deleted++
        if (created) await createFlag(db, operator, { key: 'x', ...onOrOff })
        await create(db)
      }
    }
    t.ok(seen.kept > 0, `${seen.kept} kept`)
    // The deletion of a role takes more statements, so that it comes second.
    if (kind === 'segment') t.ok(seen.deleted > 0, `${seen.deleted} deleted`)
  })
}
