import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addSettingsRoutes } from '../../../src/http/settings-routes.ts'

const common = {
  tag: 'machine',
  whose: 'a user',
  reads: 'app-settings:read',
  byKey: true
} as const

export default (async (app) => {
  addSettingsRoutes(app, {
    ...common,
    url: '/users/:id/settings',
    part: 'user',
    name: 'SettingsForMachine'
  })
  addSettingsRoutes(app, {
    ...common,
    url: '/users/:id/app-settings',
    part: 'app',
    name: 'AppSettingsForMachine',
    writes: 'app-settings:update'
  })
}) satisfies FastifyPluginAsyncTypebox
