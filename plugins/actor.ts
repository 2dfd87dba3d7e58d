import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { actorOf, operatorActorOf, signedInActorOf } from '../src/http/actor.ts'
import { requirePrincipal } from '../src/http/authentication.ts'

export default fp(
  async (app) => {
    app.decorateRequest('actor', {
      getter(this: FastifyRequest) {
        const { operator } = app
        // Before authentication, nobody knows whether it is the operator.
        return operator && this.principal
          ? operatorActorOf(this, operator)
          : actorOf(this, this.principal, this.presentedKey)
      }
    })
    app.decorateRequest('self', {
      getter(this: FastifyRequest) {
        return signedInActorOf(this, requirePrincipal(this))
      }
    })
  },
  { name: 'actor', dependencies: ['auth', 'keys'] }
)
