import t from 'tap'
import { evaluateFlag, evaluateFlags } from '../../src/http/flag-evaluation.ts'
import { problem } from '../../src/schemas/problem.ts'
import { aCaller } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { appWith } from './own-app.ts'

const shown = { type: 'object', additionalProperties: true, description: 'Values' }

t.test('a route of the app evaluates flags for its caller', async (t) => {
  const flag = aFlag({
    public: true,
    rules: [
      { when: { rolesAny: ['admin'] }, serve: { variant: 'on' } },
      {
        when: { attributes: [{ name: 'plan', op: 'in', values: ['pro'] }] },
        serve: { variant: 'on' }
      }
    ]
  })
  const app = await appWith(
    t,
    {},
    {
      async routes(app) {
        app.get('/flags/:key', {
          config: { access: 'optional' },
          schema: {
            operationId: 'flags',
            params: { type: 'object', properties: { key: { type: 'string' } } },
            querystring: { type: 'object', properties: { plan: { type: 'string' } } },
            response: { 200: shown, 404: problem('No flag has this key', 'flag-not-found') }
          },
          async handler(request) {
            const { key } = request.params as { key: string }
            const context = request.query as { plan?: string }
            const { value } = await evaluateFlag(request, key, context)
            return { value, all: await evaluateFlags(request, context) }
          }
        })
      }
    }
  )
  const admin = await aCaller(app, 'admin')
  const made = await admin.call('POST', '/api/admin/flags', flag)
  t.equal(made.statusCode, 201, made.body)
  const { call } = await aCaller(app)
  const url = `/api/flags/${flag.key}`
  t.match((await call('GET', url)).json(), { value: false, all: [{ key: flag.key, value: false }] })
  t.match((await call('GET', `${url}?plan=pro`)).json(), { value: true, all: [{ value: true }] })
  t.match((await admin.call('GET', url)).json(), { value: true })
  t.match((await app.inject(url)).json(), { value: false }, 'without a session')
  t.equal((await call('GET', '/api/flags/nothing')).json().code, 'flag-not-found')
})
