import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { freePort } from '../support/postgres.ts'
import { ownApp } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

/** The hooks of each route, in the order in which the running application calls them. */
function hooksOf(app: FastifyInstance) {
  const routes = new Map<string, Record<string, string[]>>()
  const lines = app.printRoutes({ includeHooks: true, commonPrefix: false }).split('\n')
  let current: Record<string, string[]> = {}
  for (const line of lines) {
    const route = /([^\s│├└─]\S* \([A-Z]+\))$/.exec(line)?.[1]
    const [, name = '', hooks = ''] = /• \((\w+)\) (\[.*\])$/.exec(line) ?? []
    if (route) routes.set(route.replace(/^\//, ''), (current = {}))
    else if (hooks) {
      const names = (JSON.parse(hooks) as string[]).map((hook) => hook.slice(0, -2))
      const ours = names.filter((hook) => hook !== 'checkContract') // of test/support/contract.ts
      if (ours.length > 0) current[name] = ours
    }
  }
  return routes
}

const everybody = ['addSecurityHeaders', 'guardTransport', 'rejectCrossSiteChange']
const onResponse = ['logRequest'] // without METRICS_PORT nothing is counted

t.test('global hooks run first, then those of a scope, then those of a route', async (t) => {
  const hooks = hooksOf(await ownApp(t))
  t.same(hooks.get('api/auth/me (GET)'), {
    onRequest: [...everybody, 'checkAccess'],
    onResponse
  })
  t.same(hooks.get('api/auth/login (POST)'), {
    onRequest: [...everybody, 'checkAccess'],
    onResponse
  })
  t.same(hooks.get('api/user/theme (PUT)'), {
    onRequest: [...everybody, 'checkAccess', 'limitWrites'],
    onResponse
  })
  t.same(hooks.get('api/admin/users (GET)'), {
    onRequest: [...everybody, 'rejectCrossSite', 'checkAccess', 'limitReads'],
    onResponse
  })
  t.same(hooks.get('api/admin/users (POST)'), {
    onRequest: [...everybody, 'rejectCrossSite', 'checkAccess', 'limitWrites'],
    preHandler: ['setStatus'],
    onSend: ['tagContent'],
    onResponse
  })
  t.same(hooks.get('ofrep/v1/evaluate/flags (POST)'), {
    onRequest: [...everybody, 'checkAccess'],
    preValidation: ['useEmptyContext'],
    onResponse
  })
})

t.test('CORS comes after the guard, and metrics before the log', async (t) => {
  const app = await ownApp(t, {
    CORS_ORIGINS: ['https://app.example.com'],
    METRICS_PORT: await freePort()
  })
  t.same(hooksOf(app).get('api/auth/me (GET)'), {
    onRequest: [
      'addSecurityHeaders',
      'guardTransport',
      'handleCors',
      'rejectCrossSiteChange',
      'checkAccess'
    ],
    onResponse: ['countRequest', 'logRequest']
  })
})

t.test('every route passes the same hooks first, and each hook has a name', async (t) => {
  const production = testConfig({
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  const hooks = hooksOf(await ownApp(t, production))
  t.ok(hooks.size > 20)
  for (const [route, { onRequest = [], ...others }] of hooks) {
    t.same(others.onResponse, onResponse)
    t.same(onRequest.slice(0, 4), [...everybody, 'checkAccess'], route)
    t.notOk([onRequest, ...Object.values(others)].flat().includes('anonymous'), route)
  }
})
