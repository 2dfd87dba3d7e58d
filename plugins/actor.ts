import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { normaliseAddress } from '../src/config/addresses.ts'
import type { Actor } from '../src/domain/activity/record.ts'
import type { Self } from '../src/domain/sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks and from where, for the activity record of what they do. */
    actor: Actor
    /** The signed-in person, for what they do to their own account. Throws where the route did not ask for one. */
    self: Self
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
      getter(this: FastifyRequest): Self {
        return {
          actor: this.actor,
          userId: this.session.userId,
          sessionId: this.session.id,
          rules: app.sessionRules
        }
      }
    })
  },
  { name: 'actor', dependencies: ['auth'] }
)
