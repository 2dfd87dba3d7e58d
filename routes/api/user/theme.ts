import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateOwnUser } from '../../../src/domain/accounts/user-changes.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { Theme } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/theme',
    {
      config: { access: { permission: 'theme:update' } },
      schema: {
        operationId: 'setOwnTheme',
        summary: "Choose one's theme",
        description: 'The theme of the app, for this user wherever they sign in.',
        tags: ['user'],
        body: ref(Theme),
        response: { 200: ref(Theme, 'The theme as it is now') }
      }
    },
    async (request) => updateOwnUser(app.db, request.self, 'theme:update', request.body)
  )
}

export default routes
