// Not on PGlite: it needs several connections.

import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import {
  aUser,
  onPglite,
  operator,
  signedIn,
  testApp,
  testDatabaseUrl,
  until
} from '../../support/app.ts'
import { withoutSlack } from '../../support/slack.ts'
import { stoppableProxy } from '../../support/stoppable-proxy.ts'

t.test(
  'a silent database leads to 503 even for cached data, and no stale data is served afterwards',
  { skip: onPglite && 'it is in the process' },
  async (t) => {
    withoutSlack(t)
    const url = await testDatabaseUrl(t)
    const way = await stoppableProxy(t, url)
    const app = await testApp(t, {}, await openDatabase(way.url, { poolMax: 3 }))
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

    for (let round = 0; round < 2; round++) {
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
      if (round === 0) await revokeUserSessions(elsewhere.db, operator, { userId: ended.id })
      way.go()
      await until(async () => (await me('kept')) === 200)
      t.equal(await me('ended'), 401, 'what changed meanwhile counts')
    }
  }
)
