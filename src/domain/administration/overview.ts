import type { Database } from '../../../db/client.ts'
import { countOrEstimate } from '../../../db/estimate.ts'
import { serverFacts } from '../../../db/facts.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { countDead, readBacklog } from '../outbox/list.ts'
import { isLive } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'

/** The database, how many users and live sessions there are, and what is in the outbox. */
export async function readOverview(
  { db, embedded, label }: Pick<Database, 'db' | 'embedded' | 'label'>,
  { idleSeconds }: SessionRules
) {
  const [{ version }, userCount, liveSessions, backlog, dead] = await Promise.all([
    serverFacts(db),
    countOrEstimate(db, users),
    countOrEstimate(db, sessions, isLive(idleSeconds)),
    readBacklog(db),
    countDead(db)
  ])
  return {
    database: { engine: embedded ? ('pglite' as const) : ('postgresql' as const), version, label },
    users: userCount,
    liveSessions,
    outbox: { ...backlog, dead }
  }
}
