import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addSettingsRoutes, addSettingsSchemaRoute } from '../../../src/http/settings-routes.ts'

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
  addSettingsSchemaRoute(app, {
    url: '/settings/schema',
    tag: 'user',
    order: 41,
    name: 'SettingsSchema',
    reads: 'settings:read'
  })
}) satisfies FastifyPluginAsyncTypebox
