// Not on PGlite: it needs several connections.

import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import {
  aUser,
  onPglite,
  operator,
  signedIn,
  ownApp,
  testDatabaseUrl,
  until
} from '../../support/app.ts'
import { withoutSlack } from '../../support/slack.ts'
import { stoppableProxy } from '../../support/stoppable-proxy.ts'

const skip = onPglite && 'it is in the process'

t.test(
  'a silent database leads to 503 even for cached data, and no stale data is served afterwards',
  { skip },
  async (t) => {
    withoutSlack(t)
    const url = await testDatabaseUrl(t)
    const way = await stoppableProxy(t, url)
    const app = await ownApp(t, {}, await openDatabase(way.url, { poolMax: 3 }))
    const elsewhere = await openDatabase(url, { poolMax: 1 })
    t.teardown(() => elsewhere.close())
    const [ended, kept] = [await aUser(app.database), await aUser(app.database)]
    const cookies = {
      ended: await signedIn(app, ended.email),
      kept: await signedIn(app, kept.email)
    }
    const me = async (who: keyof typeof cookies) =>
      (await app.inject({ url: '/api/auth/me', headers: { cookie: cookies[who] } })).statusCode
    t.same([await me('ended'), await me('kept')], [200, 200], 'both are kept in memory')

    way.stop()
    const since = Date.now()
    t.same(await Promise.all([me('ended'), me('kept'), me('kept')]), [503, 503, 503])
    t.same(
      await Promise.all([me('ended'), me('kept')]),
      [503, 503],
      'again, on the other connection'
    )
    // Its deadline is a second; without it there would never be a response.
    t.ok(Date.now() - since < 60_000, `after ${Date.now() - since} ms`)
    await revokeUserSessions(elsewhere.db, operator, { userId: ended.id })
    way.go()
    await until(async () => (await me('kept')) === 200)
    t.equal(await me('ended'), 401, 'what changed meanwhile counts')
  }
)

t.test(
  'a database that stops responding leads to 503 within the deadline, for reads and transactions',
  { skip },
  async (t) => {
    withoutSlack(t)
    const way = await stoppableProxy(t, await testDatabaseUrl(t))
    const app = await ownApp(t, {}, await openDatabase(way.url, { poolMax: 3 }))
    const user = await aUser(app.database)
    const cookie = await signedIn(app, user.email)
    way.stop()
    const started = Date.now()
    const [me, logout] = await Promise.all([
      app.inject({ url: '/api/auth/me', headers: { cookie } }),
      app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } })
    ])
    t.ok(Date.now() - started < 60_000) // without a deadline there would never be a response
    t.match(me.json(), { code: 'database-unavailable', status: 503 })
    t.equal(me.headers['retry-after'], '1')
    t.equal(logout.statusCode, 503)
    t.equal(
      logout.headers['set-cookie'],
      undefined,
      'the cookie stays, so that the logout can be repeated'
    )
    await until(async () => (await app.inject('/health')).statusCode === 503)
    way.cut()
  }
)
