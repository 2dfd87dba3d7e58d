import type { Db } from '../../db/engine.ts'
import { record } from '../domain/activity/record.ts'
import { day } from './history.ts'
import type { NewId } from './history.ts'
import type { Person } from './people.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`
] as const

/** Where a person connects from: always the same browser, from an address for documentation. */
export const whereFrom = (n: number) => ({
  ip: n % 4 === 3 ? `2001:db8::${n + 1}` : `203.0.113.${n + 1}`,
  userAgent: browsers[n % browsers.length] ?? browsers[0]
})

export const personActor = (n: number, { id, email }: Person) =>
  ({ type: 'user', source: 'api', id, label: email, ...whereFrom(n) }) as const

const stranger = { type: 'anonymous', source: 'api' } as const
const wrongPassword = { outcome: 'failure', reason: 'wrong-password' } as const

/** Records two weeks of sign-ins, how some of them went on, and an attack on the first account. */
export async function recordActivity(tx: Db, people: Person[], now: Date, newId: NewId) {
  for (const [n, person] of people.entries()) {
    const { id: userId, email, proof } = person
    for (let ago = 0; ago < 14 && person.lastLoginAt; ago++) {
      const chance = n * 31 + ago * 17
      const start = now.getTime() - ago * day - 60_000 - ((chance * 7_919_000) % (day / 2))
      if (start < person.createdAt.getTime() || chance % 3 === 0) continue
      const idAfter = (seconds: number) => newId(new Date(start + seconds * 1000))
      if (chance % 9 === 4) {
        const actor = { ...stranger, ...whereFrom(n), requestId: idAfter(0) }
        await record(tx, actor, 'auth.login', { ...wrongPassword, userId, details: { email } })
      }
      const sessionId = idAfter(20)
      const inSession = { ...personActor(n, person), sessionId }
      const target = { type: 'session', id: sessionId } as const
      const begun = { ...inSession, requestId: idAfter(20) }
      await record(tx, begun, 'auth.login', { target, details: { amr: [...proof.amr] } })
      const choice = chance % 11
      const goneOn = { ...inSession, requestId: idAfter(50) }
      if (choice < 3) await record(tx, goneOn, 'auth.logout', { userId })
      if (choice === 3) {
        const details = { permission: 'users:read', route: 'GET /api/admin/users' }
        const denied = { outcome: 'failure', reason: 'permission-denied', userId, details } as const
        await record(tx, goneOn, 'access.denied', denied)
      }
    }
  }
  const { id: userId, email } = people[0] as Person
  const attackerAt = (minutesAgo: number) => ({
    ...{ ...stranger, ip: '198.51.100.66', userAgent: 'curl/8.15.0' },
    requestId: newId(new Date(now.getTime() - minutesAgo * 60_000))
  })
  for (let n = 0; n < 12; n++) {
    const attempt = { ...wrongPassword, userId, details: { email } }
    await record(tx, attackerAt(180 - n), 'auth.login', attempt)
  }
  const details = { route: 'POST /api/auth/login', limit: 'login-pair', count: 31 }
  const limited = { outcome: 'failure', reason: 'rate-limited', userId, details } as const
  await record(tx, attackerAt(167), 'throttle.limited', limited)
}
