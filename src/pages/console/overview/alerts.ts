import type { Schemas } from '../../shared/client.ts'
import { counted, grouped } from '../grouped.ts'

/** Something that is wrong, the view to look into it, and the command that helps. */
interface Alert {
  text: string
  /** The text of the link to the view. */
  action: string
  href: string
  command: string
}

interface SignIns {
  from: string
  successes: number
  failures: number
  /** Such as "48 hours". */
  period: string
}

/** Seconds that mail may wait, as for `portal doctor`. */
const longWait = 300

/** Fewer failed sign-ins are mistyped passwords. */
const manyFailures = 20

const reasons = {
  starting: 'It is starting.',
  draining: 'It is shutting down.',
  database: 'The database is unavailable.',
  migrations: 'The database schema is older than the portal: run portal migrate.',
  epochs: 'Rows of the epochs are missing: run portal refresh.'
}

/** Returns the alerts, the worst first. Sign-ins count only if they are given. */
export function alertsOf(
  { ready, reason, outbox, signUps, limitedAccounts, lateJobs }: Schemas['Overview'],
  { from = '', successes = 0, failures = 0, period = '' }: Partial<SignIns> = {}
): Alert[] {
  const { pending, oldestSeconds, dead } = outbox
  const alert = (isWrong: boolean, text: string, action: string, href: string, command: string) =>
    isWrong ? [{ text, action, href, command: `portal ${command}` }] : []
  const help = { migrations: 'migrate', epochs: 'refresh' } as Record<string, string>
  return [
    ...alert(
      !ready,
      `This instance takes no requests. ${reasons[reason ?? 'starting']}`,
      'Health',
      '/health',
      help[reason ?? ''] ?? 'doctor'
    ),
    ...alert(
      dead > 0,
      `${counted(dead, 'mail')} could not be delivered.`,
      'Dead mail',
      '/mail?state=dead',
      'mail list --state dead'
    ),
    ...alert(
      oldestSeconds > longWait,
      `Waiting to be sent: ${counted(pending, 'mail')}, the oldest for ${lasting(oldestSeconds)}.`,
      'Waiting mail',
      '/mail?state=pending',
      'mail list --state pending'
    ),
    ...alert(
      signUps.suspicious,
      `Somebody may be registering strangers: of the last ${counted(signUps.recent, 'mail')} ` +
        `that ask to confirm an address, ${signUps.confirmed} were confirmed. ` +
        (signUps.difficulty > 0
          ? `Callers solve a challenge of ${grouped(signUps.difficulty)} hashes. `
          : '') +
        'The runbook “Somebody registers strangers” says what to do.',
      'Refused registrations',
      '/activity?action=auth.register-refused',
      'activity list --action auth.register-refused'
    ),
    ...alert(
      limitedAccounts > 0,
      `After too many attempts, ${counted(limitedAccounts, 'account')} could not sign in for a ` +
        'while in the last 24 hours.',
      'Refused attempts',
      '/activity?action=throttle.limited',
      'activity list --action throttle.limited'
    ),
    ...alert(
      failures >= manyFailures && failures > successes,
      `${grouped(failures)} sign-ins failed in ${period}, and ${grouped(successes)} succeeded.`,
      'Failed sign-ins',
      `/activity?action=auth.login&outcome=failure&from=${encodeURIComponent(from)}`,
      'activity list --action auth.login --outcome failure'
    ),
    ...alert(
      lateJobs > 0,
      `${counted(lateJobs, 'clean-up job')} did not finish for more than a day: ` +
        'portal doctor says which.',
      'Health',
      '/health',
      'doctor'
    )
  ]
}

const lasting = (seconds: number) =>
  seconds < 7200
    ? counted(Math.round(seconds / 60), 'minute')
    : counted(Math.round(seconds / 3600), 'hour')

/** How a number has changed since the period before. */
export function changeOf(now: number, before: number, period: string): string {
  if (now === 0 && before === 0) return `none in ${period}`
  if (now === before) return `as many as in the ${period} before`
  const change = `${grouped(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'}`
  return `${change} than in the ${period} before`
}
