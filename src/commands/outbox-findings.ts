import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { users } from '../../db/schema/users.ts'
import type { Config } from '../config/config.ts'
import type { Key } from '../config/keys.ts'
import { countDead, readBacklog, readCommonError } from '../domain/outbox/list.ts'
import { countSealed, createSealing } from '../domain/sealing.ts'
import { ok, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Seconds after which mail that waits deserves attention. */
const longWait = 300

/** @param config that of the server, if this is its environment */
export async function mailFinding(db: Db, config: Config | undefined): Promise<Outcome> {
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

/** Users who cannot sign in before they open a link, as when mail was switched on later. */
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

/** Values that no current key opens, after a change of SECRET_KEYS. */
export async function sealedFinding(db: Db, keys: readonly Key[]): Promise<Outcome> {
  const { current, old, unreadable, locked } = await countSealed(db, createSealing(keys))
  if (unreadable > 0) {
    return warning(
      `${unreadable} cannot be opened with any key in SECRET_KEYS` +
        (locked > 0 ? `; users who cannot use their authenticator app: ${locked}` : ''),
      'Check that SECRET_KEYS match the keys of the server, or add the key that was removed.'
    )
  }
  if (old > 0) {
    return warning(
      `${old} sealed with an older key`,
      'Before you remove that key, run: portal reseal'
    )
  }
  return ok(current === 0 ? 'none' : `${current}, all sealed with the first key`)
}
