import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { epochs } from '../../db/schema/epochs.ts'
import { flagEvaluations, flagRevisions, flags, segments } from '../../db/schema/flags.ts'
import { idempotencyKeys } from '../../db/schema/idempotency.ts'
import { confirmationMails, outbox } from '../../db/schema/outbox.ts'
import { spentChallenges } from '../../db/schema/second-factors.ts'
import { services } from '../../db/schema/services.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { registrations } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { endedScopes } from '../../db/schema/scopes.ts'
import { webhookEndpoints } from '../../db/schema/webhooks.ts'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config/config.ts'
import { started, testDatabase } from './app.ts'
import { sharedApp } from './shared-apps.ts'
import { testConfig } from './test-config.ts'

/** Names of the applications that a test uses now. */
const used = new Set<string>()

/**
 * Like `ownApp`, with the limits of its configuration and nothing that others have left. When the
 * test has ended, another one gets the same application with an empty database, so that a test
 * cannot change it. Each call of a test returns another one.
 */
export async function emptyApp(t: Test, changes: Partial<Config> = {}): Promise<FastifyInstance> {
  const nameOf = (n: number) => JSON.stringify(['empty', n, changes])
  let n = 0
  while (used.has(nameOf(n))) n += 1
  const name = nameOf(n)
  used.add(name)
  t.teardown(() => used.delete(name))
  const app = await sharedApp(t, name, async (life) =>
    started(t, buildApp(testConfig(changes), { database: await testDatabase(life) }), life)
  )
  await emptied(app.db)
  return app
}

/** The tables whose rows tests add, without those whose rows go with them. */
export const filled = {
  ...{ users, registrations, services, outbox, activity, spentChallenges, throttle },
  ...{ flags, flagRevisions, flagEvaluations, segments, webhookEndpoints },
  ...{ idempotencyKeys, confirmationMails, endedScopes }
}

/** Deletes what a test can leave, and lets all servers forget what they have read. */
export async function emptied(db: Db) {
  const deletions = [
    ...Object.values(filled).map((table) => sql`delete from ${table}`),
    sql`delete from roles where not system`,
    sql`delete from permissions where not system`
  ].map((deletion, i) => sql`${sql.raw(`d${i}`)} as (${deletion})`)
  await db.execute(sql`
    with ${sql.join(deletions, sql`, `)}
    update ${epochs} set value = (random() * 1e18)::bigint`)
}
