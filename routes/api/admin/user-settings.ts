import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireSettings } from '../../../src/domain/settings/settings.ts'
import { addSettingsRoutes } from '../../../src/http/settings-routes.ts'
import { SettingsSchema } from '../../../src/schemas/app-settings.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const common = {
  tag: 'users',
  whose: 'a user',
  reads: 'users:read',
  writes: 'users:update'
} as const

export default (async (app) => {
  addSettingsRoutes(app, {
    ...common,
    url: '/users/:id/settings',
    part: 'user',
    name: 'UserSettings'
  })
  addSettingsRoutes(app, {
    ...common,
    url: '/users/:id/app-settings',
    part: 'app',
    name: 'UserAppSettings'
  })

  app.get('/settings-schema', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'getSettingsSchemaForAdmins',
      summary: 'Get the schema of the settings',
      description: 'Returns what `SETTINGS_SCHEMA` allows, for a page that makes a form of it.',
      response: {
        200: ref(SettingsSchema, 'The schema of both parts'),
        404: problem('The portal keeps no settings', 'settings-off')
      }
    },
    handler: async () => {
      const { user, app: ofApp } = requireSettings(app.settings)
      return { user: user.schema, app: ofApp.schema }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
