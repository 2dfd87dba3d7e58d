import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { OwnCode } from '../src/base/allow.ts'
import type { LoadedApp } from '../src/base/load.ts'
import type { Config } from '../src/config/config.ts'
import type { Operator } from '../src/http/operator.ts'
import type { Surface } from '../src/http/surface.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    surface: Surface
    /** On the surface of the console only. */
    operator: Operator | undefined
    /** The app that is built on the portal, if there is one. */
    ownApp: LoadedApp | undefined
    /** Undefined without an app. */
    ownCode: OwnCode | undefined
  }
}

type Given = Pick<FastifyInstance, 'config' | 'surface'>
type Optional = Partial<Pick<FastifyInstance, 'operator' | 'ownApp'>>

export default fp<Given & Optional>(
  async (app, { config, surface, operator, ownApp }) => {
    app.decorate('config', config)
    app.decorate('surface', surface)
    app.decorate('operator', operator)
    app.decorate('ownApp', ownApp)
    // Its hook comes before those that read the access policy of a route.
    app.decorate('ownCode', ownApp && (await ownCodeOf(app)))
  },
  { name: 'config' }
)

const ownCodeOf = async (app: FastifyInstance) =>
  (await import('../src/base/allow.ts')).createOwnCode(app)
