import type { Db } from '../../db/engine.ts'
import { budgetsOf } from '../config/budget-variables.ts'
import type { Config } from '../config/config.ts'
import { signingKey, subKey } from '../config/keys.ts'
import { readSignUps } from '../domain/guard/guard.ts'
import { createBuckets } from '../domain/throttling/buckets.ts'
import { ok, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Whether strangers get mail that they did not ask for. Nothing while no such mail was sent. */
export async function registrationFinding(
  db: Db,
  config: Config | undefined
): Promise<(Outcome & { check: string })[]> {
  if (!config) return []
  const key = subKey(signingKey(config.SECRET_KEYS), 'throttle')
  const buckets = createBuckets(key, budgetsOf(config))
  const { sentInHour, recent, confirmed, difficulty, suspicious } = await readSignUps({
    db,
    buckets
  })
  if (recent === 0) return []
  const finding =
    `${sentInHour} mails in the last hour ask to confirm an address; of the last ${recent}, ` +
    `${confirmed} were confirmed; ` +
    (difficulty === 0 ? 'callers need no challenge' : `a challenge takes ${difficulty} hashes`)
  const outcome = suspicious
    ? warning(
        finding,
        'Somebody may be registering strangers: follow the runbook ' +
          'docs/do/runbooks/somebody-registers-strangers.md'
      )
    : ok(finding)
  return [{ check: 'registrations', ...outcome }]
}
