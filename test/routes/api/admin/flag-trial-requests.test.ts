import { randomUUID } from 'node:crypto'
import t from 'tap'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, aRole, aUser, callerOf, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

const url = '/api/admin/flags/evaluate'
const trying = async (body: object) => (await call('POST', url, body)).json()

t.test('a request that contradicts itself is rejected by name', async (t) => {
  const { user } = await aCaller(app)
  const flag = aFlag()
  for (const [body, ...pointers] of [
    [{}, '/key'],
    [{ key: flag.key, flag }, '/key'],
    [{ flag, context: { userId: user.id, roles: [] } }, '/context/userId'],
    [{ flag, context: { userId: user.id, targetingKey: 'ada' } }, '/context/userId'],
    [{ context: { assurance: 2 } }, '/key', '/context/assurance'],
    [{ flag, sample: 0 }, '/sample'],
    [{ flag, sample: 1001 }, '/sample']
  ] as const) {
    const { status, errors } = await trying(body)
    t.equal(status, 400)
    t.same(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      pointers,
      JSON.stringify(body)
    )
  }
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
