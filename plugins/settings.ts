import fp from 'fastify-plugin'
import type { Settings } from '../src/domain/settings/settings.ts'
import { compileSettings } from '../src/http/settings-rules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The compiled settings of the app. Undefined without SETTINGS_SCHEMA. */
    settings: Settings | undefined
  }
}

export default fp(
  async (app) => {
    const { settingsSchemas } = app.config
    app.decorate('settings', settingsSchemas && (await compileSettings(settingsSchemas)))
  },
  { name: 'settings', dependencies: ['config'] }
)
