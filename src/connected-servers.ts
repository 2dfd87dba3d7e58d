import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/engine.ts'
import { version } from './version.ts'

const form = /^portal (\S+) on (.+):(\d+)$/

/** PostgreSQL keeps 63 bytes. */
export const instanceName = (port: number) =>
  `portal ${version} on ${hostname().slice(0, 30)}:${port}`

export interface Instance {
  version: string
  port: number
  isHere: boolean
}

/** The servers that are connected to the database. A role sees only its own connections. */
export async function findInstances(db: Db): Promise<Instance[]> {
  const rows = await db
    .selectDistinct({ name: sql<string>`application_name` })
    .from(sql`pg_stat_activity`)
    .where(sql`datname = current_database() and application_name like 'portal % on %'`)
  return rows.flatMap(({ name }) => {
    const [, version = '', host, port] = form.exec(name) ?? []
    return host === undefined
      ? []
      : [{ version, port: Number(port), isHere: host === hostname().slice(0, 30) }]
  })
}
