import type { Action } from '../../db/schema/actions.ts'
import type { ActivityDetails } from '../../db/schema/activity-details.ts'
import type { activity } from '../../db/schema/activity.ts'
import { sampleRoles } from './access.ts'
import { sampleFlags, sampleSegment } from './flags.ts'
import type { NewId } from './ids.ts'
import type { Person } from './people.ts'
import type { Chance } from './random.ts'

type Row = typeof activity.$inferInsert
type Details = Partial<ActivityDetails>

const day = 86_400_000
const days = 14

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`,
  `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`
] as const

/** Where a person connects from: always the same browser, from an address for documentation. */
export const whereFrom = (n: number) => ({
  ip: n % 4 === 3 ? `2001:db8::${n + 1}` : `203.0.113.${n + 1}`,
  userAgent: browsers[n % browsers.length] ?? browsers[0]
})

/** Two weeks of records up to `now`. */
export function makeActivity(now: Date, people: Person[], newId: NewId, chance: Chance): Row[] {
  const rows: Row[] = []
  const add = (at: Date, action: Action, row: Partial<Row>, details: Details = {}) =>
    rows.push({
      id: newId(at),
      at,
      action,
      outcome: 'success',
      actorType: 'anonymous',
      source: 'api',
      details,
      ...row
    })

  for (const [n, person] of people.entries()) {
    const { id, email, createdAt } = person
    const onSelf = { targetType: 'user', targetId: id, ...whereFrom(n) } as const
    const asSelf = { ...onSelf, actorType: 'user', actorId: id, actorLabel: email } as const
    if (now.getTime() - createdAt.getTime() < days * day) {
      add(createdAt, 'auth.register', onSelf, { email })
      if (person.emailVerifiedAt) add(person.emailVerifiedAt, 'user.email-verify', asSelf)
    }
    if (!person.lastLoginAt) continue
    for (let ago = 0; ago < days; ago++) {
      const at = new Date(now.getTime() - ago * day - 60_000 - chance.below(day / 2))
      const later = (seconds: number) => new Date(at.getTime() + Math.min(seconds, 50) * 1000)
      if (at < createdAt || chance.below(3) === 0) continue
      if (chance.below(9) === 0) {
        const failed = { outcome: 'failure', reason: 'wrong-password' } as const
        add(at, 'auth.login', { ...onSelf, ...failed }, { email })
      }
      const sessionId = newId(later(20))
      const begun = { targetType: 'session', targetId: sessionId, sessionId } as const
      const amr = person.secondFactor ? ['pwd', 'otp', 'mfa'] : ['pwd']
      add(later(20), 'auth.login', { ...asSelf, ...begun }, { amr })
      const choice = chance.below(24)
      if (choice < 2) {
        const theme = { from: 'system', to: chance.pick(['light', 'dark']) }
        add(later(30), 'user.update', asSelf, { fields: ['theme'], changes: { theme } })
      } else if (choice === 2) {
        add(later(30), 'auth.password-change', asSelf, { revoked: 1 })
      } else if (choice < 8) {
        add(later(50), 'auth.logout', asSelf)
      } else if (choice === 8) {
        const refused = { outcome: 'failure', reason: 'permission-denied' } as const
        const details = { permission: 'users:read', route: 'GET /api/admin/users' }
        add(later(30), 'access.denied', { ...asSelf, ...refused }, details)
      }
    }
  }
  addOperations(now, people, add)
  return rows
}

type Add = (at: Date, action: Action, row: Partial<Row>, details?: Details) => unknown

/** What an operator did on the command line, and an attack on the first account. */
function addOperations(now: Date, people: Person[], add: Add) {
  const operator = { actorType: 'cli', actorLabel: 'sample', source: 'cli' } as const
  const ago = (days: number, minutes = 0) => new Date(now.getTime() - days * day - minutes * 60_000)
  for (const [n, { key, permissions }] of sampleRoles.entries()) {
    const target = { ...operator, targetType: 'role', targetId: key } as const
    add(ago(13, 60 - n), 'role.create', target, { key, permissions: [...permissions] })
  }
  const segment = { ...operator, targetType: 'segment', targetId: sampleSegment.key } as const
  const about = { key: sampleSegment.key }
  add(ago(sampleSegment.made), 'segment.create', segment, { ...about, version: 1 })
  const fields = ['when']
  add(ago(sampleSegment.changed), 'segment.update', segment, { ...about, fields, version: 2 })
  const recent = sampleFlags(now).filter(({ made }) => made < days)
  for (const { key, made, changed, before } of recent) {
    const target = { ...operator, targetType: 'flag', targetId: key } as const
    add(ago(made), 'flag.create', target, { key, version: 1 })
    add(ago(changed), 'flag.update', target, { key, fields: Object.keys(before), version: 2 })
  }
  for (const [n, { id, createdAt }] of people.entries()) {
    const target = { ...operator, targetType: 'user', targetId: id } as const
    const at = new Date(Math.max(ago(12, n).getTime(), createdAt.getTime() + 600_000))
    for (const { key: role } of sampleRoles.filter(({ every }) => n % every === 0)) {
      add(at, 'user.role-grant', target, { role })
    }
  }
  const [first] = people
  const attack = { ip: '198.51.100.66', userAgent: 'curl/8.15.0', outcome: 'failure' } as const
  const target = { ...attack, targetType: 'user', targetId: first?.id } as const
  for (let n = 0; n < 12; n++) {
    const reason = 'wrong-password'
    const details = { email: first?.email ?? '' }
    add(ago(0, 180 - n), 'auth.login', { ...target, reason }, details)
  }
  const limited = { route: 'POST /api/auth/login', limit: 'login-pair', count: 31 }
  add(ago(0, 167), 'throttle.limited', { ...target, reason: 'rate-limited' }, limited)
}
