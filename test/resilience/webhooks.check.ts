import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import { transaction } from '../../db/transaction.ts'
import { parseKeyList } from '../../src/config/keys.ts'
import { recordAll } from '../../src/domain/activity/record.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { newSecret, sealSecret } from '../../src/domain/webhooks/signature.ts'
import { anonymous, onPglite, temporaryFolder, until } from '../support/app.ts'
import { certificateFor } from '../support/certificate.ts'
import { shared, startInstance } from './instances.ts'
import { countingReceiver } from './counting-receiver.ts'
import { cluster } from './synchronous-standby.ts'

const events = Number(process.env.EVENTS ?? 10_000)
const kills = Number(process.env.KILLS ?? 12)

/** Deliveries that one instance has under way to one endpoint. */
const atOnce = 4
const isLeased = and(eq(deliveries.state, 'pending'), isNotNull(deliveries.lease))

t.test(
  `${events} events reach a receiver while instances are killed ${kills} times and the database fails over`,
  { skip: onPglite && 'several processes' },
  async (t) => {
    const { hosts, port, standbyPort, stop, promote } = await cluster(t, 100)
    const url = hosts(port, standbyPort)
    const { db, close } = await openDatabase(url, { poolMax: 5 })
    t.teardown(close)
    const { cert, key } = certificateFor('127.0.0.1')
    const file = path.join(temporaryFolder(t), 'receiver.pem')
    writeFileSync(file, cert)
    const secret = newSecret()
    const receiver = await countingReceiver(t, { cert, key, secret })
    const id = uuid()
    const sealed = sealSecret(createSealing(parseKeyList(shared.SECRET_KEYS)), id, secret)
    await db
      .insert(webhookEndpoints)
      .values({ id, url: receiver.url, secret: sealed, events: ['auth.*'] })

    const start = async (name: string) => {
      const DATABASE_URL = `${url}&application_name=${name}`
      const env = { DATABASE_URL, WEBHOOK_NETWORKS: '127.0.0.1', NODE_EXTRA_CA_CERTS: file }
      return (await startInstance(t, env)).ready()
    }
    const names = ['a', 'b'] as const
    const instances = { a: await start('a'), b: await start('b') }
    const phases = Object.entries(phasesOf(db, receiver))
    const reached: Record<string, number> = {}
    const begin = performance.now()
    for (let kill = 0; kill < kills; kill++) {
      const name = names[(kill + Math.floor(kill / phases.length)) % 2] ?? 'a'
      await happen(db, Math.ceil(events / kills))
      const [phase, within] = phases[kill % phases.length] ?? []
      await within?.(name, async () => {
        instances[name].process.kill('SIGKILL')
        await instances[name].exit
        reached[phase ?? ''] = (reached[phase ?? ''] ?? 0) + 1
      })
      if (kill === Math.floor(kills / 2)) {
        await underWay(db)
        await stop('immediate')
        await promote()
        await until(async () => happen(db, 1).catch(() => false))
      }
      instances[name] = await start(name)
    }
    await until(async () => (await db.$count(deliveries, eq(deliveries.state, 'pending'))) === 0)
    const seconds = Math.round((performance.now() - begin) / 1000)

    const rows = await db
      .select({ id: deliveries.id, event: deliveries.eventId, state: deliveries.state })
      .from(deliveries)
    const records = await db
      .select({ id: activity.id })
      .from(activity)
      .where(eq(activity.action, 'auth.confirm-failed'))
    t.ok(records.length >= events, `${records.length} events`)
    t.same(new Set(rows.map((row) => row.event)), new Set(records.map((record) => record.id)))
    t.equal(rows.length, records.length)
    t.same(new Set(rows.map(({ state }) => state)), new Set(['delivered']), 'none is dead')
    t.same(new Set(receiver.events.keys()), new Set(records.map((record) => record.id)), 'arrived')
    t.same(new Set(receiver.messages.keys()), new Set(rows.map((row) => row.id)), 'by its id')
    t.equal(receiver.forged(), 0, 'each is signed')
    const copies = [...receiver.messages.values()].reduce((sum, count) => sum + count - 1, 0)
    t.ok(copies > 0, 'deliveries were under way when instances were killed')
    t.comment(
      `${records.length} events in ${seconds} s, ${copies} of them again; ${JSON.stringify(reached)}`
    )
  }
)

/** Records of an action that anybody may cause. */
async function happen(db: Db, count: number) {
  const entries = Array.from({ length: count }, () => ({ outcome: 'failure' as const }))
  await transaction(db, (tx) => recordAll(tx, anonymous, 'auth.confirm-failed', entries))
  return true
}

const underWay = (db: Db) => until(async () => (await db.$count(deliveries, isLeased)) > 0)

type Receiver = Awaited<ReturnType<typeof countingReceiver>>
type Kill = () => Promise<void>

/** How to kill an instance in each phase of a delivery, with both at work. */
function phasesOf(db: Db, receiver: Receiver) {
  const isBlocked = (name: string, statement: string) =>
    until(async () => {
      const waiting = sql`application_name = ${name} and wait_event_type = 'Lock'
        and query like ${statement}`
      const found = await db
        .select({ pid: sql`pid` })
        .from(sql`pg_stat_activity`)
        .where(waiting)
      return found.length > 0
    })
  /** More than one instance can have, so both have some. */
  const isHeldByBoth = async () => {
    receiver.hold()
    await until(() => receiver.held() > atOnce)
  }
  return {
    /** It reads the record next. */
    claimed: async (name: string, kill: Kill) => {
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table activity in access exclusive mode`)
        await isBlocked(name, '%from "activity"%')
        await kill()
      })
    },
    posted: async (_: string, kill: Kill) => {
      await isHeldByBoth()
      await kill()
      receiver.release()
    },
    responded: async (name: string, kill: Kill) => {
      await isHeldByBoth()
      await db.transaction(async (tx) => {
        await tx.select({ id: deliveries.id }).from(deliveries).where(isLeased).for('update')
        receiver.release()
        await isBlocked(name, 'update "deliveries"%')
        await kill()
      })
    },
    settled: async (_: string, kill: Kill) => {
      const isDone = eq(deliveries.state, 'delivered')
      const before = await db.$count(deliveries, isDone)
      await until(async () => (await db.$count(deliveries, isDone)) > before)
      await sleep(randomInt(50))
      await kill()
    }
  }
}
