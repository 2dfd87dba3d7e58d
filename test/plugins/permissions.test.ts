import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { ref } from '../../src/schemas/primitives.ts'
import { testDatabase } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

const response = { 200: {} }
const appWith = async (add: (app: FastifyInstance) => void) => {
  const database = await testDatabase(t)
  const app = buildApp(testConfig(), { database })
  t.teardown(() => app.close())
  app.register(async (scope) => add(scope))
  return { app, database }
}

t.test('a route without an access policy stops the boot', async (t) => {
  const { app } = await appWith((app) =>
    app.get('/open', { schema: { response } }, async () => ({}))
  )
  await t.rejects(async () => await app.ready(), {
    message: 'GET /open declares no access policy: set config.access'
  })
})

t.test('a route that requires an unknown permission stops the boot', async (t) => {
  const access = { permission: 'profile:fly' } as unknown as 'public'
  const { app } = await appWith((app) =>
    app.get('/open', { config: { access }, schema: { response } }, async () => ({}))
  )
  await t.rejects(async () => await app.ready(), {
    message:
      /^GET \/open requires an unknown permission, .*profile:fly.*: add it to systemPermissions/
  })
})

t.test('a route that refers to a schema outside of src/schemas stops the boot', async (t) => {
  const body = ref(Type.Object({}, { $id: 'Elsewhere' }))
  const { app } = await appWith((app) =>
    app.post(
      '/open',
      { config: { access: 'public' }, schema: { body, response } },
      async () => ({})
    )
  )
  await t.rejects(async () => await app.ready(), {
    message: 'POST /open refers to the schema Elsewhere: export it from a file of src/schemas'
  })
})

t.test('a route without a response schema stops the boot', async (t) => {
  const { app } = await appWith((app) =>
    app.get('/open', { config: { access: 'public' } }, async () => ({}))
  )
  await t.rejects(async () => await app.ready(), {
    message: 'GET /open declares no response schema'
  })
})

t.test('a route registered before the access policy stops the boot', async (t) => {
  const app = buildApp(testConfig(), { database: await testDatabase(t) })
  t.teardown(() => app.close())
  app.get('/open', { config: { access: 'public' }, schema: { response } }, async () => ({}))
  await t.rejects(async () => await app.ready(), {
    message: /routes were added before the access policy/
  })
})

t.test('access is checked before the body is read', async (t) => {
  const { app } = await appWith((app) =>
    app.post(
      '/session',
      { config: { access: 'session' }, schema: { body: { type: 'object' }, response } },
      async () => ({})
    )
  )
  const answer = await app.inject({
    method: 'POST',
    url: '/session',
    headers: { 'content-type': 'application/json' },
    payload: '{'
  })
  t.equal(answer.statusCode, 401)
})
