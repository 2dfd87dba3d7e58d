import type { Db } from '../../db/engine.ts'
import type { Config } from '../config/config.ts'
import { covers, rpIdOf } from '../config/passkeys.ts'
import { countPasskeys } from '../domain/factors/passkeys.ts'
import { ok, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

const lockedOut =
  'For owners who need a second factor and have no other one, run: portal user reset-second-factor'

/** Whether passkeys can be used, and whether a change of their host name has left some behind. */
export async function passkeyFinding(db: Db, config: Config): Promise<Outcome> {
  const rpId = rpIdOf(config)
  const { all, lost } = await countPasskeys(db, rpId ?? '')
  if (rpId === undefined) {
    const reason = config.PASSKEYS === 'off' ? '' : ', because PUBLIC_ORIGIN is an IP address'
    return all === 0
      ? ok(`off${reason}`)
      : warning(
          `off${reason}, but users have passkeys: ${all}`,
          'Set PASSKEYS=on and a host name in PUBLIC_ORIGIN, or tell their owners that these ' +
            `passkeys no longer work. ${lockedOut}`
        )
  }
  if (lost > 0) {
    return warning(
      `${lost} of ${all} are for a host name other than ${rpId} and cannot be used`,
      'Set PASSKEY_RP_ID to the host name that they were added for, or tell their owners to add ' +
        `new ones. ${lockedOut}`
    )
  }
  if (!covers(rpId, config.CORS_ORIGINS)) {
    return warning(
      `pages of some CORS_ORIGINS cannot use passkeys of ${rpId}`,
      'Set PASSKEY_RP_ID to a parent domain of PUBLIC_ORIGIN and all CORS_ORIGINS, before users ' +
        'add passkeys.'
    )
  }
  return ok(`${all}, all for ${rpId}`)
}
