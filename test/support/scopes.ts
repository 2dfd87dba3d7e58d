import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { grantInScope } from '../../src/domain/scopes/members.ts'
import { operator } from './app.ts'

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
