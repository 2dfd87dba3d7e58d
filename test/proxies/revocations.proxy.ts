import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { parseKeyList } from '../../src/config/keys.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { revokeUserSessions } from '../../src/domain/sessions/revocation.ts'
import { aUser, operator, signedIn, ownApp } from '../support/app.ts'
import { shared } from '../resilience/instances.ts'
import { caller } from '../resilience/people.ts'
import { aWorld, theProxies } from './world.ts'

// Sessions end while requests with their cookies pass through each proxy: 10,000 with
// PROXY_ROUNDS=10000.
const rounds = Number(process.env.PROXY_ROUNDS ?? 500)
const users = 8
const requestsAtOnce = 3

const world = await aWorld(t)
const proxies = await theProxies(t, world)
// The proxies send all requests of a session to one instance: it may end at the other as well.
let turn = 0
const direct = caller(() => world.portals[turn++ % 2] ?? NaN)
t.teardown(direct.close)

// Signs users in, without the cost of real password hashes.
const endless = { burst: 900_000, seconds: 0.001 }
const app = await ownApp(
  t,
  {
    development: false,
    SECRET_KEYS: parseKeyList(shared.SECRET_KEYS),
    THROTTLE_LOGIN_PAIR: endless,
    THROTTLE_LOGIN_SOURCE: endless,
    THROTTLE_LOGIN_ACCOUNT: endless
  },
  await openDatabase(world.url, { poolMax: 5 })
)

for (const { name, port } of proxies) {
  t.test(
    `${name}: ${rounds} sessions end during requests: no yes after the end was confirmed`,
    async (t) => {
      const { call, close } = caller(() => port)
      t.teardown(close)
      let left = rounds
      const tally: Record<string, number> = {}
      const late: string[] = []

      const one = async ({ id, email }: { id: string; email: string }) => {
        const cookie = await signedIn(app, email)
        let confirmed = false
        const ask = async () => {
          const sentAfter = confirmed
          const { status } = await call('GET', '/api/invoices/7', { cookie })
          const kind = `${status} ${sentAfter ? 'after' : 'before'}`
          tally[kind] = (tally[kind] ?? 0) + 1
          if (sentAfter && status !== 401) late.push(`round ${rounds - left}: ${status}`)
          return sentAfter
        }
        await ask()
        const asking = Array.from({ length: requestsAtOnce }, async () => {
          for (let after = 0; after < 2;) if (await ask()) after++
        })
        if (left % 2 === 0) await revokeUserSessions(world.database.db, operator, { userId: id })
        else {
          const { status } = await direct.call('POST', '/api/auth/logout', { cookie })
          if (status !== 204) throw new Error(`the logout was answered with ${status}`)
        }
        confirmed = true
        await Promise.all(asking)
        world.service.requests.length = 0
      }
      await Promise.all(
        Array.from({ length: users }, async () => {
          const user = await aUser(world.database)
          await grantRole(world.database.db, operator, { userId: user.id, role: world.reader })
          while (left-- > 0) await one(user)
        })
      )
      t.comment(`answers to requests before and after the confirmation: ${JSON.stringify(tally)}`)
      t.same(late, [])
      const { '200 before': before = 0, '401 before': _during, '401 after': after, ...rest } = tally
      t.ok(before >= rounds, 'every session was used')
      t.equal(after, rounds * requestsAtOnce * 2)
      t.same(rest, {})
    }
  )
}
