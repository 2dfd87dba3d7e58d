import type { Schemas } from '../../shared/client.ts'
import { counted, grouped } from '../grouped.ts'

/** Something that is wrong, and where to look into it. */
interface Need {
  text: string
  /** On the link. */
  action: string
  href: string
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

/** What is wrong, the worst first. Empty if nothing is. */
export function alertsOf(
  { ready, reason, outbox, limitedAccounts, lateJobs }: Schemas['Overview'],
  { from, successes, failures, period }: SignIns
): Need[] {
  const { pending, oldestSeconds, dead } = outbox
  const need = (is: boolean, text: string, action: string, href: string) =>
    is ? [{ text, action, href }] : []
  return [
    ...need(
      !ready,
      `This instance takes no requests. ${reasons[reason ?? 'starting']}`,
      'Health',
      '/health'
    ),
    ...need(
      dead > 0,
      `${counted(dead, 'mail')} could not be delivered.`,
      'Dead mail',
      '/mail?state=dead'
    ),
    ...need(
      oldestSeconds > longWait,
      `Waiting to be sent: ${counted(pending, 'mail')}, the oldest for ${lasting(oldestSeconds)}.`,
      'Waiting mail',
      '/mail?state=pending'
    ),
    ...need(
      limitedAccounts > 0,
      `After too many attempts, ${counted(limitedAccounts, 'account')} could not sign in for a ` +
        'while in the last 24 hours.',
      'Refused attempts',
      '/activity?action=throttle.limited'
    ),
    ...need(
      failures >= manyFailures && failures > successes,
      `${failures} sign-ins failed in ${period}, and ${successes} succeeded.`,
      'Failed sign-ins',
      `/activity?action=auth.login&outcome=failure&from=${encodeURIComponent(from)}`
    ),
    ...need(
      lateJobs > 0,
      `${counted(lateJobs, 'clean-up job')} did not finish for more than a day: ` +
        'portal doctor says which.',
      'Health',
      '/health'
    )
  ]
}

const lasting = (seconds: number) =>
  seconds < 7200
    ? counted(Math.round(seconds / 60), 'minute')
    : counted(Math.round(seconds / 3600), 'hour')

/** How a number has changed since the period before. */
export function changeOf(now: number, before: number, period: string): string {
  if (now === before) return `as many as in the ${period} before`
  const change = `${grouped(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'}`
  return `${change} than in the ${period} before`
}
