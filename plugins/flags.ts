import fp from 'fastify-plugin'
import { createCallerSettings } from '../src/domain/flags/caller-settings.ts'
import { createFlagCache } from '../src/domain/flags/evaluation.ts'
import type { FlagState } from '../src/domain/flags/evaluation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readFlags(): Promise<FlagState>
    /** The app settings of a caller, if rules of these flags name any. */
    callerSettings: ReturnType<typeof createCallerSettings>
  }
}

export default fp(
  async (app) => {
    app.decorate('readFlags', createFlagCache(app.database.checkDb, app.snapshots))
    app.decorate('callerSettings', createCallerSettings(app.database.checkDb, app.settings))
  },
  { name: 'flags', dependencies: ['db', 'freshness', 'settings'] }
)
