import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'

/** The URL of a test's database for a new role, which may read the named tables only. */
export async function aServerRole(t: Test, url: string, readable: SQL) {
  const name = `test_${randomBytes(8).toString('hex')}`
  const role = sql.identifier(name)
  await inDatabase(url, async ({ db }) => {
    await db.execute(sql`create role ${role} login password 'portal'`)
    await db.execute(sql`grant usage on schema public, drizzle to ${role}`)
    await db.execute(sql`grant select on ${readable} to ${role}`)
  })
  t.teardown(() =>
    inDatabase(url, async ({ db }) => {
      await db.execute(sql`drop owned by ${role}`)
      await db.execute(sql`drop role ${role}`)
    })
  )
  const target = new URL(url)
  target.username = name
  target.password = 'portal'
  return target.href
}

async function inDatabase(url: string, work: (database: Database) => Promise<void>) {
  const database = await openDatabase(url)
  try {
    await work(database)
  } finally {
    await database.close()
  }
}
