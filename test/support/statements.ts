import { appendFileSync } from 'node:fs'
import { is, Placeholder } from 'drizzle-orm'
import type { PgSession } from 'drizzle-orm/pg-core'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import { checkPortable, sender } from './portable-sql.ts'

// Sees every statement that Drizzle sends to PostgreSQL, within transactions as well.

/** The file to which `npm run check -- engine` has the portal's statements written, one in JSON a line. */
const file = process.env.TEST_STATEMENTS_FILE
const written = new Set<string>()

const { prototype } = PostgresJsSession as unknown as { prototype: PgSession }
const { prepareQuery } = prototype
prototype.prepareQuery = function (this: PgSession, ...args) {
  const [{ sql, params }] = args
  checkPortable(sql)
  if (file !== undefined && !written.has(sql) && !sender().startsWith('test/')) {
    written.add(sql)
    appendFileSync(file, `${JSON.stringify({ sql, params: params.map(toJson) })}\n`)
  }
  return prepareQuery.apply(this, args)
} as typeof prepareQuery

/** In the form of PostgreSQL for those that JSON does not have; null for one that is set later. */
function toJson(value: unknown) {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'bigint' ? String(value) : is(value, Placeholder) ? null : value
}
