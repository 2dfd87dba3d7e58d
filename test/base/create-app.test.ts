import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import t from 'tap'
import type { Test } from 'tap'
import { createApp } from '../../src/base/create-app.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { appFolder } from '../support/app-folder.ts'

const create = async (t: Test, files: Record<string, string> = {}) => {
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: await testDatabaseUrl(t),
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    LOG_LEVEL: 'silent'
  }
  const app = await createApp({ app: appFolder(t, files), env })
  t.teardown(() => app.close())
  return app
}
const open = { config: { access: 'public' }, schema: { response: { 200: {} } } } as const

t.test('plugins of the caller come after the portal and under its gates', async (t) => {
  const app = await create(t)
  t.ok(app.context, 'the portal is loaded')
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('x-hook', 'yes')
    })
    scope.get('/orders', open, async () => ({}))
    scope.get('/own', { ...open, config: { access: 'session' } }, async () => ({}))
  })
  t.equal((await app.inject('/orders')).headers['x-hook'], 'yes')
  t.equal((await app.inject('/own')).statusCode, 401)
  const ofPortal = await app.inject('/api/auth/options')
  t.equal(ofPortal.statusCode, 200)
  t.equal(ofPortal.headers['x-hook'], undefined)
})

t.test(
  'the caller cannot change the routes of the portal, nor add one without a policy',
  async (t) => {
    const app = await create(t)
    const refused = (what: RegExp) => ({ name: 'AppError', message: what })
    const inPlugin = /would change the routes of the portal\. Call it in a plugin: app\.register/
    t.throws(() => app.addHook('onRequest', async () => {}), refused(inPlugin))
    t.throws(() => app.addHook('onSend', async () => {}), refused(inPlugin))
    t.throws(
      () => app.decorate('db', {} as never),
      refused(/app\.decorate\('db'\): the portal uses/)
    )
    t.throws(
      () => app.get('/orders', { schema: open.schema }, async () => ({})),
      refused(/GET \/orders has no access policy/)
    )
    await t.rejects(
      async () =>
        app.register(
          fp(async (all) => {
            all.addHook('preHandler', async () => {})
          })
        ),
      refused(inPlugin)
    )
  }
)

t.test('a wrong app rejects, and leaves nothing open', async (t) => {
  const files = {
    'routes/orders.js': "export default async (app) => app.get('/orders', () => '')\n"
  }
  await t.rejects(create(t, files), {
    name: 'AppError',
    message: /GET \/api\/orders has no access/
  })
  t.ok(await create(t), 'another app can be served afterwards')
})

t.test('a process serves one app', async (t) => {
  const first = await create(t)
  await t.rejects(create(t), {
    name: 'AppError',
    message: /portal\.js: this process serves .*portal\.js\. Start a process for each app/
  })
  await first.close()
  t.ok(await create(t))
})
