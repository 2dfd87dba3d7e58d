import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { users } from '../../db/schema/users.ts'
import { bucketsOf } from '../config/budget-variables.ts'
import type { Config } from '../config/config.ts'
import { readSignUps } from '../domain/guard/guard.ts'
import { countDead, readBacklog, readCommonError } from '../domain/outbox/list.ts'
import { ok, warning } from './findings.ts'
import type { Found, Outcome } from './findings.ts'

/** Seconds after which mail that waits deserves attention. */
const longWait = 300

/** @param config that of the server, if this is its environment */
export const mailFinding = async (db: Db, config: Config | undefined): Promise<Found> =>
  [await backlogFinding(db, config), await registrationFinding(db, config)].flat()

/** Whether strangers get mail that they did not ask for. Nothing while no such mail was sent. */
async function registrationFinding(
  db: Db,
  config: Config | undefined
): Promise<(Outcome & { check: string })[]> {
  if (!config) return []
  const found = await readSignUps({ db, buckets: bucketsOf(config) })
  const { sentInHour, recent, confirmed, difficulty, suspicious } = found
  if (recent === 0) return []
  const finding =
    `${sentInHour} mails in the last hour ask to confirm an address; of the last ${recent}, ` +
    `${confirmed} were confirmed; ` +
    (difficulty === 0 ? 'callers need no challenge' : `a challenge takes ${difficulty} hashes`)
  const todo =
    'Somebody may be registering strangers: follow the runbook ' +
    'docs/do/runbooks/somebody-registers-strangers.md'
  return [{ check: 'registrations', ...(suspicious ? warning(finding, todo) : ok(finding)) }]
}

async function backlogFinding(db: Db, config: Config | undefined): Promise<Outcome> {
  const { pending, oldestSeconds } = await readBacklog(db)
  const dead = await countDead(db)
  const age = pending > 0 ? `, the oldest for ${Math.round(oldestSeconds)} s` : ''
  const error = await readCommonError(db)
  const why = error === null ? '' : ` (last error: ${error})`
  const finding = `${pending} waiting${age}${why}, ${dead} dead`
  if (dead === 0 && oldestSeconds <= longWait) return ok(finding)
  if (oldestSeconds > longWait && config && config.MAIL_URL === undefined && !config.development) {
    return warning(
      `${finding}, but MAIL_URL is not set, so no server sends it`,
      'Set MAIL_URL and MAIL_FROM, then restart the servers. They send what is still useful, and ' +
        'drop mail that has expired.'
    )
  }
  const state = dead > 0 ? 'dead' : 'pending'
  return warning(
    finding,
    `Run portal mail list --state ${state} to see the errors. Fix their cause, then run: ` +
      `portal mail retry --${state}`
  )
}

/** Where mail was switched on later, users may have to open a link before they can sign in. */
export async function unconfirmedFinding(
  db: Db,
  config: Config | undefined
): Promise<Outcome | undefined> {
  if (config?.EMAIL_VERIFICATION !== 'required') return undefined
  const count = await db.$count(
    users,
    and(eq(users.status, 'active'), isNull(users.emailVerifiedAt))
  )
  if (count === 0) return undefined
  return warning(
    `${count} active users have not confirmed theirs. Their next sign-in is refused, and sends ` +
      'them a link that confirms it',
    'Until most of them have, you can set EMAIL_VERIFICATION=optional.'
  )
}
