import type { Schemas } from '../../shared/client.ts'
import { counted, grouped } from '../grouped.ts'

/** One thing that is checked, the view to look into it, and the command that helps. */
interface Check {
  /** Also the text of the link to the view. */
  name: string
  isWrong: boolean
  text: string
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

type Row = [
  name: string,
  wrong: string | false,
  fine: string,
  href: string,
  help?: string | undefined
]

const failedSignIns = ({ from, successes, failures, period }: SignIns): Row => [
  'Failed sign-ins',
  failures >= manyFailures &&
    failures > successes &&
    `${grouped(failures)} sign-ins failed in ${period}, and ${grouped(successes)} succeeded.`,
  'Not many sign-ins fail.',
  `/activity?action=auth.login&outcome=failure&from=${encodeURIComponent(from)}`
]

/**
 * Returns what is checked: what is wrong, the worst first, and the rest.
 * @param signIns undefined until they are counted
 */
export function checksOf(overview: Schemas['Overview'], signIns?: SignIns): Check[] {
  const { version, ready, reason, database, signUps, limitedAccounts, lateJobs } = overview
  const { pending, oldestSeconds, dead } = overview.outbox
  const help: Record<string, string> = { migrations: 'migrate', epochs: 'refresh' }
  const all: Row[] = [
    [
      'Instance',
      !ready && `This instance takes no requests. ${reasons[reason ?? 'starting']}`,
      `Version ${version} takes requests.`,
      '/health',
      help[reason ?? '']
    ],
    [
      'Undelivered mail',
      dead > 0 && `${counted(dead, 'mail')} could not be delivered.`,
      'No mail was given up.',
      '/mail?state=dead'
    ],
    [
      'Waiting mail',
      oldestSeconds > longWait &&
        `Waiting to be sent: ${counted(pending, 'mail')}, the oldest for ` +
          `${lasting(oldestSeconds)}.`,
      'Mail is sent without delay.',
      '/mail?state=pending'
    ],
    [
      'Refused registrations',
      signUps.suspicious &&
        `Somebody may be registering strangers: of the last ${counted(signUps.recent, 'mail')} ` +
          `that ask to confirm an address, ${signUps.confirmed} were confirmed. ` +
          (signUps.difficulty > 0
            ? `Callers solve a challenge of ${grouped(signUps.difficulty)} hashes. `
            : '') +
          'The runbook “Somebody registers strangers” says what to do.',
      'Nobody seems to register strangers.',
      '/activity?action=auth.register-refused'
    ],
    [
      'Refused attempts',
      limitedAccounts > 0 &&
        `After too many attempts, ${counted(limitedAccounts, 'account')} could not sign in for a ` +
          'while in the last 24 hours.',
      'No account had too many attempts in the last 24 hours.',
      '/activity?action=throttle.limited'
    ],
    ...(signIns ? [failedSignIns(signIns)] : []),
    [
      'Clean-up jobs',
      lateJobs > 0 &&
        `${counted(lateJobs, 'clean-up job')} did not finish for more than a day: ` +
          'portal doctor says which.',
      'Each has finished in time.',
      '/health'
    ],
    ['Database', false, `${database.label}, version ${database.version}.`, '/health']
  ]
  return all
    .map(([name, wrong, fine, href, command = commandFor(href)]) => ({
      ...{ name, isWrong: wrong !== false, text: wrong || fine },
      ...{ href, command: `portal ${command}` }
    }))
    .toSorted((one, other) => Number(other.isWrong) - Number(one.isWrong))
}

/** Shows the same: the command of `/mail?state=dead` is `mail list --state dead`. */
function commandFor(href: string) {
  const { pathname, searchParams } = new URL(href, 'portal:/')
  const options = [...searchParams].map(([name, value]) => ` --${name} ${value}`)
  return pathname === '/health' ? 'doctor' : `${pathname.slice(1)} list${options.join('')}`
}

export const alertsOf = (...given: Parameters<typeof checksOf>) =>
  checksOf(...given).filter(({ isWrong }) => isWrong)

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
