import { DomainError } from '../domain/domain-error.ts'
import { systemPermissionKeys } from '../domain/permissions.ts'
import type { SignedIn } from './authentication.ts'
import type { Operator } from './operator.ts'

interface Authenticated {
  headers: { authorization?: string | undefined }
  principal: SignedIn | null
}

/**
 * Bearer token → operator. There is no cookie: browsers send those to every server on this machine,
 * whatever its port.
 */
export function createOperatorAuthentication(operator: Operator) {
  const principal = principalOf(operator)
  return (request: Authenticated, done: (error?: Error) => void) => {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined || !operator.access.isToken(token)) {
      return done(new DomainError('console-ended'))
    }
    operator.onSeen()
    request.principal = principal
    done()
  }
}

/** No user has this id. It never changes, because cursors of lists contain it. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The operator in the form of a signed-in user, with the rights of the command line. */
function principalOf({ actor, machine }: Operator): SignedIn {
  const now = new Date()
  const time = now.toISOString()
  return {
    user: {
      id: nobody,
      email: machine,
      emailVerified: true,
      name: actor.label,
      theme: 'system',
      status: 'active',
      roles: [],
      suspendedRoles: [],
      permissions: [...systemPermissionKeys],
      createdAt: time,
      updatedAt: time
    },
    session: {
      id: nobody,
      userId: nobody,
      createdAt: time,
      expiresAt: time,
      idleExpiresAt: now,
      authenticatedAt: time,
      assurance: 2,
      amr: []
    },
    tokenHash: '',
    now: now.getTime()
  }
}
