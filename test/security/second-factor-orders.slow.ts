import fc from 'fast-check'
import t from 'tap'
import { requirePermission } from '../../src/domain/access/authorize.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, operator, ownApp } from '../support/app.ts'
import { expect, steps } from './second-factor-world.ts'
import type { World } from './second-factor-world.ts'

// Any order of what can happen to a user, a role of theirs and its requirement of a second factor.

const app = await ownApp(t)
const { database, db } = app
const permission = 'users:read'

/** The permission of the role is there if and only if the role counts in the session. */
async function check({ sessions, user, role, required }: World) {
  for (const { cookie, id, proved, alive } of sessions) {
    const counts = alive && (proved || !required)
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    expect(me.statusCode, alive ? 200 : 401)
    if (alive) {
      const { permissions, roles, suspendedRoles } = me.json().user
      expect(permissions.includes(permission), counts)
      expect([roles.includes(role), suspendedRoles.includes(role)], [counts, !counts])
      expect(me.json().session.assurance, proved ? 2 : 1)
    }
    const list = await app.inject({ url: '/api/admin/users?limit=1', headers: { cookie } })
    expect(list.statusCode, alive ? (counts ? 200 : 403) : 401)
    const { tokenHash } = app.sessionTokens.verify(cookie.split('=')[1] ?? '') ?? {}
    const actor = { type: 'user', source: 'api', id: user.id, sessionId: id, tokenHash } as const
    const judged = requirePermission(db, actor, permission)
    expect(await judged.then(() => true).catch(() => false), counts)
  }
}

const names = Object.keys(steps) as (keyof typeof steps)[]
/** Without these, the others have no effect. */
const likely = ['enrol', 'addPasskey', 'removeApp', 'removePasskey', 'require'] as const
const orders = fc.array(
  fc.record({ name: fc.constantFrom(...names, ...likely), which: fc.nat({ max: 5 }) }),
  {
    minLength: 12,
    maxLength: 24
  }
)

t.test(
  'in any order of changes, a role that requires a second factor counts only where one was proved',
  async (t) => {
    let checked = 0
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const user = await aUser(database)
        const role = await aRole(database, permission)
        await grantRole(db, operator, { userId: user.id, role })
        const world: World = {
          app,
          user,
          role,
          required: false,
          secret: undefined,
          passkeys: [],
          factorNeeded: false,
          sessions: []
        }
        await steps.signIn(world)
        for (const { name, which } of order) {
          const alive = world.sessions.filter((session) => session.alive)
          const session = alive[which % alive.length]
          if (session) await steps[name](world, session)
          else await steps.signIn(world)
          await check(world)
          checked++
        }
      }),
      { numRuns: 8 }
    )
    t.ok(checked >= 60, `${checked} states`)
  }
)
