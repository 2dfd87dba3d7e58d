import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findSecurity } from '../../../src/domain/accounts/second-factor.ts'
import { Security } from '../../../src/schemas/factors.ts'
import { ref } from '../../../src/schemas/primitives.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/security',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'getSecurity',
        summary: 'Get how the current user signs in',
        description:
          'Returns what the user has set up to sign in, and which of their roles require a ' +
          'second factor.',
        tags: ['user'],
        response: { 200: ref(Security, 'How the user signs in') }
      }
    },
    async (request) => findSecurity(app.db, request.self)
  )
}

export default routes
