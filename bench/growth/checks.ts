import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import type { Database } from '../../db/client.ts'
import { createShardReader } from '../../src/domain/freshness/user-epochs.ts'
import { writeLastSeen } from '../../src/domain/sessions/last-seen.ts'
import { createPrincipalCache } from '../../src/domain/sessions/principals.ts'
import type { SessionToken } from '../../src/domain/sessions/sessions.ts'
import { rules } from '../../test/support/test-config.ts'
import { many } from './costs.ts'
import type { Measure } from './meter.ts'
import { taker, times } from './portal.ts'

/** Measures session checks: all that they read, and the times of last use. */
export async function measureChecks(
  measure: Measure,
  database: Database,
  sql: Sql,
  repetitions: number
) {
  const { digest } = await database.readEpochs('')
  if (digest === null) throw new Error('there are no epochs')
  const read = () => database.readEpochs(digest)
  await measure('epochs', { items: times(10 * repetitions), work: read })
  const readChanged = () => database.readEpochs('')
  await measure('epochsChanged', { items: times(2 * repetitions), work: readChanged })

  const shards = createShardReader(database.checkDb)
  const one = (n: number) => shards.read([n % many.shards])
  await measure('shard', { items: times(repetitions), work: one })
  const all = times(many.shards)
  await measure('shards', { items: times(repetitions / 10), work: () => shards.read(all) })

  const rows = await sql<(SessionToken & { id: string })[]>`
    select id, user_id as "userId", encode(token_hash, 'hex') as "tokenHash"
    from sessions where revoked_at is null and last_seen_at < now() - interval '1 minute'
    order by md5(id::text) limit ${40 * repetitions}`
  const take = taker(rows)
  const find = principalReader(database)
  await measure('principal', { items: take(2 * repetitions), work: find })
  await measure('principals', {
    items: times(repetitions / 20).map(() => take(many.principals)),
    units: many.principals,
    work: (tokens) => Promise.all(tokens.map(find))
  })

  await measure('lastSeen', {
    items: times(repetitions / 50).map(() => take(many.lastSeen)),
    units: many.lastSeen,
    writes: true,
    work: (seen) => {
      const now = new Date()
      return writeLastSeen(
        database.db,
        seen.map(({ id }) => [id, now] as const),
        400 * 86_400 // stored long ago
      )
    }
  })
}

/** Reads the principal of a token as a server does that does not have it in memory. */
function principalReader({ checkDb }: Database) {
  const find = createPrincipalCache(
    checkDb,
    (done) => done(undefined, { values: [], now: Date.now() }),
    (_tags, _snapshot, done) => done(undefined, true),
    rules.idleSeconds
  )
  const read = promisify(find)
  return ({ userId, tokenHash }: SessionToken) => read({ userId, tokenHash })
}
