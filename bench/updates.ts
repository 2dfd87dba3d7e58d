import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import { transaction } from '../db/transaction.ts'
import { byPassword } from '../src/domain/factors/recent-authentication.ts'
import { writeLastSeen } from '../src/domain/sessions/last-seen.ts'
import { startSession } from '../src/domain/sign-in/start-session.ts'
import { clean } from '../test/support/postgres.ts'
import { rules } from '../test/support/test-config.ts'
import { atLeast, save } from './figures.ts'
import { largeDatabase } from './large-database.ts'

// Whether the updates of each sign-in and each use leave the indexes alone, on tables that were just
// filled: `npx tsx bench/updates.ts`. UPDATES_USERS=1000000 takes a million instead of 100,000.

const users = Number(process.env.UPDATES_USERS ?? 100_000)
const updates = 20_000

const folder = path.join(os.tmpdir(), 'portal-bench-updates')
const url = await largeDatabase(folder, { users, sessions: users, records: 1000, mails: 1000 })
const database = await openDatabase(url, { poolMax: 1 })
const sql = postgres(url, { max: 1, onnotice: () => {} })
try {
  const counts = async () => {
    // Otherwise a backend reports its latest counts when it has been idle for ten seconds.
    await database.db.execute('select pg_stat_force_next_flush()')
    return sql<{ table: string; all: number; hot: number }[]>`
      select relname as table, n_tup_upd::float8 as all, n_tup_hot_upd::float8 as hot
      from pg_stat_user_tables where relname in ('users', 'sessions') order by relname desc`
  }
  const before = await counts()
  const some = await sql<{ id: string; credentialVersion: number }[]>`
    select id, credential_version as "credentialVersion" from users
    where status = 'active' order by random() limit ${updates / 4}`
  for (const account of some) {
    await transaction(database.db, (tx) =>
      startSession(
        tx,
        { sessionRules: rules, mail: undefined },
        { type: 'user', source: 'api', id: account.id },
        {
          account,
          proof: byPassword,
          presented: [],
          charge: []
        }
      )
    )
  }
  const open = await sql<{ id: string; at: Date }[]>`
    select id, least(now(), last_seen_at + interval '1 hour') as at from sessions
    where revoked_at is null order by random() limit ${updates}`
  for (let start = 0; start < open.length; start += 1000) {
    const batch = open.slice(start, start + 1000).map(({ id, at }) => [id, at] as const)
    await writeLastSeen(database.db, batch, rules.idleSeconds)
  }
  const after = await counts()
  const claims = after.map(({ table, all, hot }, i) => {
    const [updated, inPlace] = [all - (before[i]?.all ?? 0), hot - (before[i]?.hot ?? 0)]
    return atLeast(`${table}: heap-only share of ${updated} updates`, inPlace / updated, 0.95)
  })
  save('updates', claims, { users })
} finally {
  await Promise.all([sql.end(), database.close()])
  await clean(folder)
}
