import type { Sql } from 'postgres'
import type { Test } from 'tap'
import type { MailServer } from '../mail/server.ts'
import { until } from '../support/app.ts'

/** The tables whose rows must stay, with the columns that use or a new version may change. */
const kept = {
  users: ['last_login_at'],
  sessions: ['last_seen_at'],
  totp: ['last_step'],
  recovery_codes: ['used_at'],
  passkeys: ['counter', 'last_used_at'],
  tokens: [],
  roles: ['name', 'description', 'version', 'updated_at'],
  role_permissions: [],
  user_roles: [],
  feature_flags: [],
  activity: []
}
const tables = Object.keys(kept) as (keyof typeof kept)[]

/** Copies these tables. Returns their numbers of rows, and a function that lists missing rows. */
export async function rememberRows(sql: Sql) {
  await sql`create schema remembered`
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { count } = await sql`
      create table ${sql(`remembered.${table}`)} as table ${sql(`public.${table}`)}`
    counts[table] = count
  }
  /** Compares the columns that still exist: the version after next may remove one. */
  async function lost(table: keyof typeof kept) {
    const columns = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_name = ${table}
      group by name having count(*) = 2 and not column_name = any(${kept[table]})`
    const row = sql(columns.map(({ name }) => name))
    const rows = await sql`
      select ${row} from ${sql(`remembered.${table}`)}
      except select ${row} from ${sql(`public.${table}`)}`
    return rows.map((each) => ({ table, ...each }))
  }
  return { counts, lost: async () => (await Promise.all(tables.map(lost))).flat() }
}

/** Mail, except questions that are answered in some minutes: most of them become none. */
const mailIn = (sql: Sql, state: string) =>
  sql<{ id: string }[]>`
    select id from outbox where state = ${state} and kind <> 'sign-in-unfinished'`

export const waitingMail = async (sql: Sql) => (await mailIn(sql, 'pending')).map(({ id }) => id)

/** Waits until no mail waits, and compares what was sent with what arrived. */
export async function assertDeliveries(
  t: Test,
  sql: Sql,
  { waited, server }: { waited: string[]; server: MailServer }
) {
  await until(async () => (await waitingMail(sql)).length === 0)
  const sent = (await mailIn(sql, 'sent')).map(({ id }) => id)
  const arrived = server.mails.map(({ mail }) => mail.messageId ?? '')
  t.same(
    arrived.filter((id, n) => arrived.indexOf(id) !== n),
    [],
    'no mail arrives twice'
  )
  t.same(new Set(arrived), new Set(sent.map((id) => `<${id}@localhost>`)), 'all of it arrives')
  t.same(
    waited.filter((id) => !sent.includes(id)),
    [],
    'mail that waited before is sent'
  )
  t.same([...(await mailIn(sql, 'dead'))], [])
  t.comment(`${waited.length} mails waited, ${arrived.length} arrived`)
}
