import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addSettingsRoutes, addSettingsSchemaRoute } from '../../../src/http/settings-routes.ts'

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
  addSettingsSchemaRoute(app, {
    url: '/settings-schema',
    tag: 'users',
    name: 'SettingsSchemaForAdmins',
    reads: 'users:read'
  })
}) satisfies FastifyPluginAsyncTypebox
