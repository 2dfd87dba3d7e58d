import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { normaliseAddress } from '../src/config/addresses.ts'
import type { Actor, SignedInActor } from '../src/domain/activity/record.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks and from where, for the activity record of what they do. */
    actor: Actor
    /** The signed-in user, as the actor of changes to their own account. Throws on a route whose policy does not require a session. */
    self: SignedInActor
  }
}

const userAgentLength = 256

export default fp(
  async (app) => {
    app.decorateRequest('actor', {
      getter(this: FastifyRequest): Actor {
        const user = this.principal?.user
        return {
          type: user ? 'user' : 'anonymous',
          source: 'api',
          id: user?.id,
          label: user?.email,
          sessionId: this.principal?.session.id,
          ip: normaliseAddress(this.ip) ?? normaliseAddress(this.socket.remoteAddress),
          userAgent: this.headers['user-agent']?.replace(/\p{Cc}/gu, '').slice(0, userAgentLength),
          requestId: this.id
        }
      }
    })
    app.decorateRequest('self', {
      getter(this: FastifyRequest): SignedInActor {
        return {
          ...this.actor,
          type: 'user',
          id: this.session.userId,
          sessionId: this.session.id
        }
      }
    })
  },
  { name: 'actor', dependencies: ['auth'] }
)
