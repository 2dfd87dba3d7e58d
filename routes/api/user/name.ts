import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateOwnUser } from '../../../src/domain/accounts/own-settings.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Name, NameChange } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put('/name', {
    config: { access: { permission: 'name:update' }, tag: 'user', order: 20 },
    schema: {
      operationId: 'setOwnName',
      summary: "Set the current user's name",
      description: 'Changes the display name. Leading and trailing whitespace is trimmed.',
      body: ref(NameChange),
      response: { 200: ref(Name, 'The new name') }
    },
    handler: async (request) => updateOwnUser(app.db, request.self, request.body)
  })
}

export default routes
