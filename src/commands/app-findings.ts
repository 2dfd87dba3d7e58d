import { eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { rolePermissions, roles } from '../../db/schema/roles.ts'
import type { LoadedApp } from '../base/load.ts'
import { ok, warning } from './findings.ts'

/** Whether an app exports and finds what it keeps about users, and its permissions are in use. */
export async function appFindings(db: Db, { definition, file }: LoadedApp) {
  const { exports = {}, permissions = {} } = definition
  const columns = await findUserColumns(db)
  const exported = new Set(Object.keys(exports).map(tableNamed))
  const left = columns.map(({ table }) => table).filter((table) => !exported.has(table))
  const unindexed = columns.filter(({ indexed }) => !indexed)
  const granted = await db
    .select({ key: rolePermissions.permissionKey })
    .from(rolePermissions)
    .innerJoin(roles, eq(roles.id, rolePermissions.roleId))
    .where(ne(roles.key, 'admin'))
  const unused = Object.keys(permissions).filter((key) => !granted.some((each) => each.key === key))
  const outcomes = [
    left.length > 0 &&
      warning(
        `tables with data of users that no export describes: ${[...new Set(left)].join(', ')}`,
        `Add them by their names to exports in ${file}, for GET /api/user/export.`
      ),
    unindexed.length > 0 &&
      warning(
        'without an index, each deletion of a user reads the whole table: ' +
          unindexed.map(({ table, column }) => `${table}.${column}`).join(', '),
        'Add an index to these columns in the schema of the app, and generate a migration.'
      ),
    unused.length > 0 &&
      warning(
        `permissions that no role but admin has: ${unused.join(', ')}`,
        `Grant them to those who need them: portal role grant ROLE ${unused[0]}`
      )
  ].filter((outcome) => outcome !== false)
  return outcomes.length > 0 ? outcomes : ok('its tables and permissions are in order')
}

/** A part of the export is named like its table: `orderItems` is about `order_items`. */
const tableNamed = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns of the app that say to which user a row belongs. */
const findUserColumns = (db: Db) =>
  db
    .select({
      table: sql<string>`relname`,
      column: sql<string>`attname`,
      indexed: sql<boolean>`exists (select 1 from pg_index
        where indrelid = attrelid and indkey[0] = attnum and indisvalid and indpred is null)`
    })
    .from(sql`pg_attribute join pg_class on pg_class.oid = attrelid`)
    .where(
      sql`relnamespace = to_regnamespace('app') and relkind in ('r', 'p') and not relispartition
        and attnum > 0 and not attisdropped and (attname = 'user_id' or exists (
          select 1 from pg_constraint where contype = 'f' and conrelid = attrelid
            and confrelid = to_regclass('users') and attnum = any (conkey)))`
    )
    .orderBy(sql`relname, attname`)
