import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../db/client.ts'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import { parseKeyList } from '../../src/config/keys.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { newSecret, sealSecret } from '../../src/domain/webhooks/signature.ts'
import { happen } from '../domain/webhooks/parts.ts'
import { onPglite, temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { certificateFor } from '../support/certificate.ts'
import { shared, startInstance } from './instances.ts'

const events = Number(process.env.EVENTS ?? 10_000)
const kills = Number(process.env.KILLS ?? 12)

t.test(
  `${events} events reach a receiver while instances are killed ${kills} times`,
  { skip: onPglite && 'several processes' },
  async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const { db, close } = await openDatabase(DATABASE_URL, { poolMax: 5 })
    t.teardown(close)
    const { cert, key } = certificateFor('127.0.0.1')
    const file = path.join(temporaryFolder(t), 'receiver.pem')
    writeFileSync(file, cert)
    const secret = newSecret()
    const verifier = new Webhook(secret)
    const arrived = new Map<string, number>()
    let forged = 0
    const server = createServer({ cert, key }, (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', async () => {
        const { headers } = request
        try {
          verifier.verify(Buffer.concat(parts).toString(), headers as Record<string, string>)
        } catch {
          forged++
        }
        const id = String(headers['webhook-id'])
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
        // A message that has arrived and has no response yet is what a dying process sends again.
        if (randomInt(50) === 0) await sleep(randomInt(200))
        response.writeHead(204).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const id = uuid()
    const sealed = sealSecret(createSealing(parseKeyList(shared.SECRET_KEYS)), id, secret)
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await db.insert(webhookEndpoints).values({ id, url, secret: sealed, events: ['auth.*'] })

    const start = async () => {
      const env = { DATABASE_URL, WEBHOOK_NETWORKS: '127.0.0.1', NODE_EXTRA_CA_CERTS: file }
      return (await startInstance(t, env)).ready()
    }
    const instances = await Promise.all([start(), start()])
    const isWaiting = eq(deliveries.state, sql`'pending'`)
    for (let kill = 0; kill < kills; kill++) {
      const [from, to] = [kill, kill + 1].map((n) => Math.round((n * events) / kills))
      await happen(db, (to ?? 0) - (from ?? 0))
      await sleep(randomInt(1500))
      const place = kill % instances.length
      instances[place]?.process.kill('SIGKILL')
      await instances[place]?.exit
      instances[place] = await start()
    }
    await until(async () => (await db.$count(deliveries, isWaiting)) === 0)
    const rows = await db
      .select({ id: deliveries.id, state: deliveries.state, attempts: deliveries.attempts })
      .from(deliveries)
    t.equal(rows.length, events)
    t.same(new Set(rows.map(({ state }) => state)), new Set(['delivered']), 'none is dead')
    t.same(new Set(arrived.keys()), new Set(rows.map((row) => row.id)), 'each has arrived')
    t.equal(forged, 0, 'each is signed')
    const abandoned = rows.filter(({ attempts }) => attempts > 1).length
    t.ok(abandoned > 0, 'deliveries were under way when instances were killed')
    const copies = [...arrived.values()].reduce((sum, count) => sum + count - 1, 0)
    t.comment(`${copies} duplicates with the same webhook-id, ${abandoned} delivered again`)
  }
)
