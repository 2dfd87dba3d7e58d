import fp from 'fastify-plugin'
import { devicesOf } from '../src/domain/throttling/devices.ts'
import type { Devices } from '../src/domain/throttling/devices.ts'
import { subKey } from '../src/config/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The browsers that have signed in before. */
    devices: Devices
  }
}

export default fp(
  async (app) => {
    app.decorate('devices', devicesOf(app.config.SECRET_KEYS.map((key) => subKey(key, 'device'))))
  },
  { name: 'devices', dependencies: ['config'] }
)
