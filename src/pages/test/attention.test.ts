import t from 'tap'
import { countEvents } from '../console/counts.ts'
import { changeOf, alertsOf } from '../console/overview/alerts.ts'

const calm = {
  version: '0.1.0',
  ready: true,
  reason: null,
  database: { engine: 'postgresql', version: 18, label: 'PostgreSQL' },
  users: { count: 2, approximate: false },
  foreignHashes: { count: 0, approximate: false },
  liveSessions: { count: 1, approximate: false },
  outbox: { pending: 1, oldestSeconds: 20, dead: 0 },
  signUps: { sentInHour: 9, recent: 100, confirmed: 60, difficulty: 0, suspicious: false },
  limitedAccounts: 0,
  lateJobs: 0
} as const
type Overview = Parameters<typeof alertsOf>[0]
const signIns = { from: '2026-01-01T00:00:00Z', successes: 5, failures: 3, period: '48 hours' }
const texts = (changes: Partial<Overview>, counts = {}) =>
  alertsOf({ ...calm, ...changes }, { ...signIns, ...counts }).map(({ text }) => text)

t.test('nothing needs attention while mail is sent and people mistype passwords', async (t) => {
  t.same(texts({}), [])
  t.same(texts({}, { failures: 19, successes: 2 }), [])
  t.same(texts({}, { failures: 90, successes: 100 }), [])
})

t.test('what is wrong is said with its number, the worst first', async (t) => {
  t.same(
    texts(
      {
        ready: false,
        reason: 'migrations',
        outbox: { pending: 2, oldestSeconds: 600, dead: 1 },
        limitedAccounts: 2,
        lateJobs: 1
      },
      { failures: 50 }
    ),
    [
      'This instance takes no requests. The database schema is older than the portal: run portal migrate.',
      '1 mail could not be delivered.',
      'Waiting to be sent: 2 mails, the oldest for 10 minutes.',
      'After too many attempts, 2 accounts could not sign in for a while in the last 24 hours.',
      '50 sign-ins failed in 48 hours, and 5 succeeded.',
      '1 clean-up job did not finish for more than a day: portal doctor says which.'
    ]
  )
})

t.test('an alert names the command that helps', async (t) => {
  const commands = (changes: Partial<Overview>) =>
    alertsOf({ ...calm, ...changes }, signIns).map(({ command }) => command)
  t.same(commands({}), [])
  t.same(commands({ ready: false, reason: 'migrations' }), ['portal migrate'])
  t.same(commands({ ready: false, reason: 'epochs' }), ['portal refresh'])
  t.same(commands({ ready: false, reason: 'database', lateJobs: 2 }), [
    'portal doctor',
    'portal doctor'
  ])
  t.same(commands({ outbox: { pending: 1, oldestSeconds: 301, dead: 1 }, limitedAccounts: 1 }), [
    'portal mail list --state dead',
    'portal mail list --state pending',
    'portal activity list --action throttle.limited'
  ])
})

t.test('a number is compared with the period before', async (t) => {
  t.equal(changeOf(5, 2, '48 hours'), '3 more than in the 48 hours before')
  t.equal(changeOf(2, 5, '30 days'), '3 fewer than in the 30 days before')
  t.equal(changeOf(2, 2, '30 days'), 'as many as in the 30 days before')
})

t.test('deleted users are taken from the new ones, and other periods do not count', async (t) => {
  const item = (hour: string, action: string, outcome: 'success' | 'failure', occurrences = 1) => ({
    start: `2026-01-01T${hour}:00:00Z`,
    ...{ action, outcome, occurrences, count: occurrences }
  })
  const at = (hour: string) => Date.parse(`2026-01-01T${hour}:00:00Z`)
  const summary = {
    bucket: 'hour' as const,
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-01T12:00:00Z',
    items: [
      item('01', 'auth.login', 'success', 7),
      item('06', 'auth.login', 'success', 2),
      item('07', 'auth.login', 'failure', 3),
      item('08', 'auth.register', 'success', 2),
      item('08', 'user.create', 'success'),
      item('09', 'user.delete', 'success')
    ]
  }
  t.same(countEvents(summary, at('06'), at('12')), { users: 2, signIns: 2, failures: 3 })
})

t.test('mail to strangers is an alert, with its numbers and the challenge', async (t) => {
  const signUps = { sentInHour: 40, recent: 40, confirmed: 3, difficulty: 65_536, suspicious: true }
  t.match(texts({ signUps }), [/of the last 40 mails .* 3 were confirmed.*65,536 hashes/])
})
