import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/client.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { grantInScope } from '../../src/domain/scopes/members.ts'
import { aCaller, newCaller, operator } from './app.ts'

/** A scope in which nobody has a role. */
export const freshScope = () => `org:${randomBytes(9).toString('base64url')}`

/** Creates a role of scopes with exactly these permissions and returns its key. */
export async function aScopedRole({ db }: Pick<Database, 'db'>, ...permissions: string[]) {
  const key = `scoped-${randomBytes(6).toString('hex')}`
  await createRole(db, operator, { key, name: 'A role', permissions, scoped: true })
  return key
}

/** Grants a role in a scope as an operator. */
export const granted = (
  { db }: Pick<Database, 'db'>,
  user: { id: string },
  scope: string,
  role: string
) => grantInScope(db, operator, { scope, userId: user.id, role })

/** Users with confirmed addresses, and those of them who manage a scope and invite to it. */
export function invitersOf(app: FastifyInstance, manager: string, reader: string) {
  const aConfirmed = () => newCaller(app, { roles: [], confirmed: true })
  return {
    aConfirmed,
    /** A scope, and its manager. */
    async aScope() {
      const [scope, boss] = [freshScope(), await aConfirmed()]
      await granted(app.database, boss.user, scope, manager)
      const url = `/api/scopes/${scope}/invitations`
      const invite = (email: string, role = reader) => boss.call('POST', url, { email, role })
      return { scope, url, boss, invite }
    }
  }
}

/** Members of scopes who may do what a role allows there, and checks of that. */
export function readersOf(app: FastifyInstance, role: string) {
  const checkAs = (cookie: string) => (query: string) =>
    app.inject({
      url: `/api/auth/check${query}`,
      headers: { cookie, 'x-original-method': 'GET' }
    })
  /** Whether somebody may read in a scope, by the status of the check. */
  const statusIn = (cookie: string) => async (scope: string) =>
    (await checkAs(cookie)(`?permission=users:read&scope=${scope}`)).statusCode
  return {
    checkAs,
    statusIn,
    /** A user with the role in a scope. */
    async aMember(...everywhere: string[]) {
      const [scope, caller] = [freshScope(), await aCaller(app, ...everywhere)]
      await granted(app.database, caller.user, scope, role)
      return {
        ...{ scope, ...caller },
        check: checkAs(caller.cookie),
        statusIn: statusIn(caller.cookie)
      }
    }
  }
}
