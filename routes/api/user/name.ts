import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateOwnUser } from '../../../src/domain/accounts/user-changes.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Name, NameChange } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/name',
    {
      config: { access: { permission: 'name:update' } },
      schema: {
        operationId: 'setOwnName',
        summary: "Change one's name",
        description: 'What the user is called: 1 to 80 characters, blanks around them taken away.',
        tags: ['user'],
        body: ref(NameChange),
        response: { 200: ref(Name, 'The name as it is now') }
      }
    },
    async (request) => updateOwnUser(app.db, request.self, 'name:update', request.body)
  )
}

export default routes
