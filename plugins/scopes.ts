import fp from 'fastify-plugin'
import { effectiveRights } from '../src/domain/keys/rights.ts'
import { createScopedRights } from '../src/domain/scopes/rights-cache.ts'
import { isMember } from '../src/domain/users/users.ts'
import type { ScopedRights } from '../src/domain/users/users.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reads the rights that the caller of a request has in a scope, which must be well-formed,
     * besides those everywhere; and whether it has a role there, even one that does not count now.
     */
    rightsIn(request: FastifyRequest, scope: string): Promise<ScopedRights & { isMember: boolean }>
  }
}

export default fp(
  async (app) => {
    const read = createScopedRights(app.database.checkDb)
    app.decorate('rightsIn', async ({ principal, presentedKey }, scope) => {
      if (principal?.kept) {
        const { user, session, kept } = principal
        const rights = await read({ userId: user.id, assurance: session.assurance, kept }, scope)
        return { ...rights, isMember: isMember(rights) }
      }
      if (presentedKey?.caller.owner.type !== 'user') {
        return { roles: [], suspendedRoles: [], permissions: [], isMember: false }
      }
      const { owner, assurance, kept, list } = presentedKey.caller
      const rights = await read({ userId: owner.id, assurance, kept }, scope)
      return { ...rights, ...effectiveRights(rights, list), isMember: isMember(rights) }
    })
  },
  { name: 'scopes', dependencies: ['auth', 'db', 'keys'] }
)
