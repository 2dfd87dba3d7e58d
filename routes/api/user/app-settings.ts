import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireSettings } from '../../../src/domain/settings/settings.ts'
import { addSettingsRoutes } from '../../../src/http/settings-routes.ts'
import { SettingsSchema } from '../../../src/schemas/app-settings.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const common = { tag: 'user', whose: 'the signed-in user', reads: 'settings:read' } as const

export default (async (app) => {
  addSettingsRoutes(app, {
    ...common,
    url: '/settings',
    part: 'user',
    name: 'OwnSettings',
    order: 40,
    writes: 'settings:update'
  })
  addSettingsRoutes(app, {
    ...common,
    url: '/app-settings',
    part: 'app',
    name: 'OwnAppSettings',
    order: 42
  })

  app.get('/settings/schema', {
    config: { access: { permission: 'settings:read' }, tag: 'user', order: 41 },
    schema: {
      operationId: 'getSettingsSchema',
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
