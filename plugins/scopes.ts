import fp from 'fastify-plugin'
import { effectiveRights } from '../src/domain/keys/rights.ts'
import { createScopedRights, noRightsHere } from '../src/domain/scopes/rights.ts'
import type { RightsHere } from '../src/domain/scopes/rights.ts'
import { isMember } from '../src/domain/users/users.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reads the rights that the caller of a request has in a scope, which must be well-formed,
     * besides those everywhere.
     */
    rightsIn(request: FastifyRequest, scope: string): Promise<RightsHere>
  }
}

export default fp(
  async (app) => {
    const read = createScopedRights(app.database.checkDb)
    app.decorate('rightsIn', async ({ principal, presentedKey }, scope) => {
      if (principal?.kept) {
        const { user, session, kept } = principal
        const { assurance } = session
        const rights = await read({ userId: user.id, assurance, kept }, scope)
        return { ...rights, isMember: isMember(rights) }
      }
      if (presentedKey?.caller.owner.type !== 'user') return noRightsHere
      const { owner, assurance, kept, list } = presentedKey.caller
      const rights = await read({ userId: owner.id, assurance, kept }, scope)
      return { ...rights, ...effectiveRights(rights, list), isMember: isMember(rights) }
    })
  },
  { name: 'scopes', dependencies: ['auth', 'db', 'keys'] }
)
