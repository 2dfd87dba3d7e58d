import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { aUser, onPglite, password, signedIn, testApp, until } from '../helpers.ts'
import { serverWithRoles } from '../standby.ts'

t.test('a server in recovery is an unavailable database, for reads too, until it is promoted', {
  skip: onPglite && 'it has no standby'
}, async (t) => {
  const server = await serverWithRoles(t)
  const app = await testApp(t, { MIGRATE_ON_START: true }, await openDatabase(server.url))
  const { email } = await aUser(app.database)
  const cookie = await signedIn(app, email)
  const me = async () => (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
  const flags = () => app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload: {} })
  t.equal(await me(), 200)

  await server.becomeStandby()
  await until(async () => (await app.inject('/health')).statusCode === 503)
  t.same((await app.inject('/health')).json(), { status: 'unavailable', reason: 'database' })
  for (let i = 0; i < 5; i++) t.equal(await me(), 503)
  t.equal((await flags()).statusCode, 503)
  const login = { method: 'POST', url: '/api/auth/login', payload: { email, password } } as const
  t.match((await app.inject(login)).json(), { status: 503, code: 'database-unavailable' })
  await t.rejects(app.db.select().from(users), 'no list comes from it')

  await server.promote()
  await until(async () => await me() === 200)
  t.equal((await app.inject(login)).statusCode, 200)
  await until(async () => (await app.inject('/health')).statusCode === 200)
})
