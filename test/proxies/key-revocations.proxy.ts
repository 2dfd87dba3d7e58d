import t from 'tap'
import { revokeKey } from '../../src/domain/services/key-revocation.ts'
import { grantServiceRole, revokeServiceRole } from '../../src/domain/services/services.ts'
import { caller } from '../resilience/people.ts'
import { operator } from '../support/app.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import { aWorld, theProxies } from './world.ts'

// API keys end while requests with them pass through each proxy: 10,000 with PROXY_ROUNDS=10000.
const rounds = Number(process.env.PROXY_ROUNDS ?? 500)
const machines = 8
const requestsAtOnce = 3
/** 503 of a busy machine is neither a yes nor a no: the request is repeated. */
const verdicts: Record<number, string> = { 200: 'yes', 401: 'no', 403: 'no', 503: 'busy' }

const world = await aWorld(t)
const { db } = world.database

for (const { name, port } of await theProxies(t, world, 'permission=invoices:read&accept=key')) {
  t.test(
    `${name}: ${rounds} keys end during requests: no yes after the end was confirmed`,
    async (t) => {
      const { call, close } = caller(() => port)
      t.teardown(close)
      let left = rounds
      const tally: Record<string, number> = {}
      const late: string[] = []

      const one = async (service: { key: string }) => {
        const isRevoked = left % 2 === 0
        const { id, secret } = await aServiceKey(world.database, service)
        const refusal = isRevoked ? 401 : 403
        let confirmed = false
        const ask = async () => {
          const sentAfter = confirmed
          const { status } = await call('GET', '/api/invoices/7', {
            authorization: `Bearer ${secret}`
          })
          const verdict = verdicts[status] ?? String(status)
          const kind = `${verdict} ${sentAfter ? 'after' : 'before'}`
          tally[kind] = (tally[kind] ?? 0) + 1
          if (verdict === 'busy') return false
          if (sentAfter && status !== refusal) late.push(`round ${rounds - left}: ${status}`)
          if (!sentAfter && status !== 200 && status !== refusal) late.push(`before: ${status}`)
          return sentAfter
        }
        await ask()
        const membership = { service: service.key, role: world.reader }
        const end = async () => {
          if (isRevoked) await revokeKey(db, operator, { id })
          else await revokeServiceRole(db, operator, membership)
          confirmed = true
        }
        await Promise.all([
          ...Array.from({ length: requestsAtOnce }, async () => {
            for (let after = 0; after < 2;) if (await ask()) after++
          }),
          end()
        ])
        if (!isRevoked) {
          await grantServiceRole(db, operator, membership)
          await revokeKey(db, operator, { id })
        }
        const seen = world.service.requests.splice(0)
        if (/portal_[\w-]{43}/.test(JSON.stringify(seen))) late.push('the service saw a key')
      }
      await Promise.all(
        Array.from({ length: machines }, async () => {
          const service = await aService(world.database, world.reader)
          while (left-- > 0) await one(service)
        })
      ).finally(() => {
        left = 0 // after a failure the next proxy has the machine to itself
      })
      t.comment(`answers to requests before and after the confirmation: ${JSON.stringify(tally)}`)
      t.same(late, [])
      const { 'yes before': before = 0, 'no after': after } = tally
      t.ok(before >= rounds, 'every key was used')
      t.equal(after, rounds * requestsAtOnce * 2)
    }
  )
}
