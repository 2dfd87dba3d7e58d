import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateOwnUser } from '../../../src/domain/accounts/own-settings.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Theme } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put('/theme', {
    config: { access: { permission: 'theme:update' }, tag: 'user', order: 30 },
    schema: {
      operationId: 'setOwnTheme',
      summary: "Set the current user's theme",
      description: 'Changes the theme of the app for this user, on all of their devices.',
      body: ref(Theme),
      response: { 200: ref(Theme, 'The new theme') }
    },
    handler: async (request) => updateOwnUser(app.db, request.self, request.body)
  })
}

export default routes
