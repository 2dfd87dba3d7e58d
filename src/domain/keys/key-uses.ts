import { and, eq, exists, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { setBounded } from '../lru.ts'
import { networksOf } from '../networks.ts'
import type { KeyCaller, KeyOwner } from './key-cache.ts'

/** Milliseconds between two flushes of the times of use. */
export const flushInterval = 60_000
/** Milliseconds in which a key has at most one record of its use. */
const recordInterval = 3_600_000
const capacity = 10_000
/** Networks of a key that an instance remembers, and whose first uses wait for their record. */
const mostNetworks = 100
/** Keys whose records an instance writes at a time: they share the connections of all requests. */
const writers = 2

/** Where a use comes from, as its record shows it. */
type Origin = Pick<Actor, 'ip' | 'userAgent' | 'requestId'>

/** The first use of a key from a network, for all that this instance knows. */
interface Use {
  caller: KeyCaller
  network: string
  origin: Origin
  /** Milliseconds, by the clock of the database. */
  at: number
}

/** Uses of one key, each from another network. */
type KeyUses = [Use, ...Use[]]

/** The networks of a key that an instance knows. */
interface Seen {
  networks: Set<string>
  /** The last address from one of them, as the request has it: most keys have only one. */
  address: string
  /** Milliseconds, by the clock of the database. */
  quietUntil: number
}

/** First uses by network, which are recorded when the hour of their key ends. */
interface Waiting {
  /** Milliseconds, by the clock of this process. */
  due: number
  uses: Map<string, Use>
}

/** The target of a record about a key. */
export const targetOf = ({ type, id }: Pick<KeyOwner, 'type' | 'id'>) => ({ type, id })

/**
 * Notes the uses of keys off the request path: the time of the last one once a minute, and in the
 * audit trail the first use from each network. One of them is recorded at once, the others when the
 * hour after it ends or the instance stops, so that a key that moves about causes few statements.
 * @param onError called when something could not be stored; it is tried again
 * @param clock milliseconds
 */
export function createKeyUses(
  db: Db,
  onError: (error: unknown) => void,
  clock = () => performance.now()
) {
  let pending = new Map<string, number>()
  const known = new Map<string, Seen>()
  const waiting = new Map<string, Waiting>()
  const lanes = Array.from({ length: writers }, () => Promise.resolve())
  let nextLane = 0

  const remember = (keyId: string, seen: Seen, network: string) => {
    if (seen.networks.size >= mostNetworks) seen.networks.clear()
    seen.networks.add(network)
    setBounded(known, keyId, seen, capacity)
  }
  const postpone = (use: Use, due: number) => {
    const { id } = use.caller.key
    const found = waiting.get(id) ?? { due, uses: new Map<string, Use>() }
    if (found.uses.size >= mostNetworks || (waiting.size >= capacity && !waiting.has(id))) return
    found.uses.set(use.network, use)
    waiting.set(id, found)
  }
  const writeRecords = (uses: KeyUses, isLate: boolean) => {
    const write = () =>
      recordFirstUses(db, uses, isLate)
        .then((early) => {
          for (const use of early) postpone(use, clock() + recordInterval)
        })
        .catch((error: unknown) => {
          for (const use of uses) postpone(use, clock())
          onError(error)
        })
    const lane = nextLane++ % writers
    lanes[lane] = (lanes[lane] ?? Promise.resolve()).then(write)
  }
  const writeWaiting = (isDue: (each: Waiting) => boolean) => {
    for (const [id, each] of waiting) {
      if (!isDue(each)) continue
      waiting.delete(id)
      const [first, ...others] = each.uses.values()
      if (first) writeRecords([first, ...others], true)
    }
  }
  const settle = async () => {
    await Promise.all(lanes)
  }
  return {
    /**
     * Notes a use at this time (ms). Never waits.
     * @param address as the request has it: whether it is the same is all that most uses ask
     */
    mark(caller: KeyCaller, now: number, address: string, originOf: () => Origin) {
      const { id } = caller.key
      if (now > (pending.get(id) ?? 0)) pending.set(id, now)
      const seen = known.get(id) ?? { networks: new Set(), address: '', quietUntil: 0 }
      if (address === seen.address) return
      seen.address = address
      const origin = originOf()
      const [network] = networksOf(origin.ip)
      if (seen.networks.has(network)) return
      const use = { caller, network, origin, at: now }
      remember(id, seen, network)
      if (now < seen.quietUntil) return postpone(use, clock() + seen.quietUntil - now)
      seen.quietUntil = now + recordInterval
      writeRecords([use], false)
    },
    async flush() {
      writeWaiting(({ due }) => due <= clock())
      const uses = pending
      pending = new Map()
      if (uses.size === 0) return
      await writeLastUses(db, uses).catch((error: unknown) => {
        onError(error)
        for (const [id, at] of uses) pending.set(id, Math.max(at, pending.get(id) ?? 0))
      })
    },
    /** Waits for the records that are being written. */
    settle,
    /** Writes what waits, before the instance stops. */
    async close() {
      await settle() // which may find that a use must wait
      writeWaiting(() => true)
      await settle()
    }
  }
}

/** Never decreases a time. Locks in the order of ids, because instances write concurrently. */
async function writeLastUses(db: Db, uses: Map<string, number>) {
  const rows = JSON.stringify(Array.from(uses, ([id, at]) => ({ id, at: new Date(at) })))
  await transaction(db, (tx) =>
    tx.execute(sql`
      with used as (
        select id, at
        from jsonb_to_recordset(${rows}::text::jsonb) as each(id uuid, at timestamptz(3))
      ), locked as (
        select ${apiKeys.id}, used.at from ${apiKeys} join used on used.id = ${apiKeys.id}
        where ${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < used.at
        order by ${apiKeys.id} for no key update of ${apiKeys}
      )
      update ${apiKeys} set last_used_at = greatest(${apiKeys.lastUsedAt}, locked.at)
      from locked where ${apiKeys.id} = locked.id`)
  )
}

/**
 * Records the uses of one key from networks that no record names yet. Returns those that must wait,
 * because there is a record of the last hour. The lock lets one of several instances decide at a
 * time.
 * @param isLate whether the uses have waited for their hour, so that other records do not matter
 */
async function recordFirstUses(db: Db, uses: KeyUses, isLate: boolean): Promise<Use[]> {
  const { owner, key } = uses[0].caller
  return transaction(db, async (tx) => {
    const locked = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.id, key.id))
      .for('no key update')
    if (locked.length === 0) return [] // the key was deleted
    const isOfKey = and(
      eq(activity.targetId, owner.id),
      eq(activity.action, 'key.use'),
      sql`${activity.details} ->> 'key' = ${key.id}`
    )
    const networks = JSON.stringify(uses.map(({ network }) => network))
    const isFrom = sql`case when network = 'unknown' then ${activity.ip} is null
      else ${activity.ip} <<= network::inet end`
    const recorded = await tx
      .select({ network: sql<string>`network` })
      .from(sql`jsonb_array_elements_text(${networks}::text::jsonb) as network`)
      .where(exists(tx.select().from(activity).where(and(isOfKey, isFrom))))
    const known = new Set(recorded.map(({ network }) => network))
    const missing = uses.filter(({ network }) => !known.has(network))
    if (missing.length === 0) return []
    const isRecent = sql`${activity.at} > now() - ${ofSeconds(recordInterval / 1000)}`
    if (!isLate && (await tx.$count(activity, and(isOfKey, isRecent))) > 0) return missing
    for (const { origin, at } of missing) {
      await record(tx, { ...owner, source: 'api', ...origin }, 'key.use', {
        target: targetOf(owner),
        details: { key: key.id, ...(isLate && { firstAt: new Date(at).toISOString() }) }
      })
    }
    return []
  })
}
