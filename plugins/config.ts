import fp from 'fastify-plugin'
import type { Config } from '../src/config/config.ts'
import type { Operator } from '../src/http/operator.ts'
import type { Surface } from '../src/http/surface.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    surface: Surface
    /** On the surface of the console only. */
    operator: Operator | undefined
  }
}

interface Options {
  config: Config
  surface: Surface
  operator?: Operator
}

export default fp<Options>(
  async (app, { config, surface, operator }) => {
    app.decorate('config', config)
    app.decorate('surface', surface)
    app.decorate('operator', operator)
  },
  { name: 'config' }
)
