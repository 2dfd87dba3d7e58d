import { randomUUID } from 'node:crypto'
import t from 'tap'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, aRole, aUser, callerOf, testApp } from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

const url = '/api/admin/flags/evaluate'
const trying = async (body: object) => (await call('POST', url, body)).json()

t.test('a request that contradicts itself is rejected by name', async (t) => {
  const { user } = await aCaller(app)
  const flag = aFlag()
  const context = { userId: user.id }
  await rejects(t, call, `POST ${url}`, [
    ['no flag', {}, '/key invalid'],
    ['two flags', { key: flag.key, flag }, '/key invalid'],
    ['roles', { flag, context: { ...context, roles: [] } }, '/context/userId invalid'],
    ['a key', { flag, context: { ...context, targetingKey: 'x' } }, '/context/userId invalid'],
    [
      'an assurance of nobody',
      { context: { assurance: 2 } },
      ['/key invalid', '/context/assurance invalid']
    ],
    ['a sample of none', { flag, sample: 0 }, '/sample out-of-range'],
    ['a large sample', { flag, sample: 1001 }, '/sample out-of-range']
  ])
})

t.test('naming a user requires users:read as well', async (t) => {
  const flag = aFlag()
  const reader = await aCaller(app, await aRole(app.database, 'flags:read'))
  const context = { userId: reader.user.id }
  t.match((await reader.call('POST', url, { flag, context })).json(), {
    status: 403,
    code: 'permission-denied'
  })
  t.equal((await reader.call('POST', url, { flag, context: { roles: ['admin'] } })).statusCode, 200)
  const both = await callerOf(
    app,
    await aUser(app.database),
    await aRole(app.database, 'flags:read', 'users:read')
  )
  t.equal((await both.call('POST', url, { flag, context })).statusCode, 200)
  t.match((await both.call('POST', url, { flag, context: { userId: randomUUID() } })).json(), {
    status: 404,
    code: 'user-not-found'
  })
})

t.test(
  'a definition may be larger than other bodies, and the texts of a context short',
  async (t) => {
    const flag = aFlag({
      type: 'string',
      variants: {
        a: 'x'.repeat(3900),
        b: 'x'.repeat(3900),
        c: 'x'.repeat(3900),
        d: 'x'.repeat(3900)
      },
      defaultVariant: 'a',
      offVariant: 'a',
      rules: [
        {
          when: { users: Array.from({ length: 1000 }, (_, n) => `user-${n}`) },
          serve: { variant: 'b' }
        }
      ]
    })
    t.match(await trying({ flag, context: { targetingKey: 'user-999' } }), {
      variant: 'b',
      rule: 0
    })
    const text = (length: number) => ({
      flag,
      context: { attributes: { text: 'y'.repeat(length) } }
    })
    t.match(await trying(text(512)), { reason: 'DEFAULT' })
    t.match(await trying(text(513)), { status: 400, errors: [{ pointer: '/context/attributes' }] })
    t.match(await trying(text(65_536)), { status: 413 })
  }
)
