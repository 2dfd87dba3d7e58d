import { and, count, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { activity } from '../../../db/schema/activity.ts'
import { apiKeys } from '../../../db/schema/api-keys.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author } from '../actor.ts'
import { setNewest } from '../bounded-map.ts'
import { networksOf } from '../networks.ts'
import type { KeyCaller, KeyOwner } from './key-cache.ts'

/** Milliseconds between two flushes of the times of use. */
export const flushInterval = 60_000
/** Milliseconds in which a key has at most one record of its use. */
const recordInterval = 3_600_000
const capacity = 10_000
/** Networks of a key that an instance remembers. */
const mostSeen = 100

/** Where a use comes from, as its record shows it. */
type Origin = Pick<Actor, 'ip' | 'userAgent' | 'requestId'>

/** What an instance knows about the networks of a key. */
interface Seen {
  networks: Set<string>
  /** The last address from one of them, as the request has it: most keys have only one. */
  address: string
  /** Milliseconds. */
  quietUntil: number
}

/** The target of a record about a key. */
export const targetOf = ({ type, id }: Pick<KeyOwner, 'type' | 'id'>) => ({ type, id })

/**
 * Notes the uses of keys off the request path: the time of the last one once a minute, and in the
 * audit trail the first use from each network, at most once an hour for each key.
 * @param onError called when something could not be stored; times are tried again
 */
export function createKeyUses(db: Db, onError: (error: unknown) => void) {
  let pending = new Map<string, number>()
  const known = new Map<string, Seen>()
  const recording = new Set<Promise<void>>()

  const remember = (keyId: string, seen: Seen, network: string, now: number) => {
    if (seen.networks.size >= mostSeen) seen.networks.clear()
    seen.networks.add(network)
    seen.quietUntil = now + recordInterval
    setNewest(known, keyId, seen, capacity)
  }
  const writeRecord = (caller: KeyCaller, network: string, origin: Origin) => {
    const forget = () => {
      const seen = known.get(caller.key.id)
      if (!seen) return
      seen.networks.delete(network)
      seen.address = ''
    }
    const writing = recordFirstUse(db, caller, network, origin)
      .then((isSettled) => {
        if (!isSettled) forget() // recorded with a use after the hour
      })
      .catch((error: unknown) => {
        forget()
        onError(error)
      })
      .finally(() => recording.delete(writing))
    recording.add(writing)
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
      if (now < seen.quietUntil || address === seen.address) return
      const origin = originOf()
      const [network] = networksOf(origin.ip)
      if (seen.networks.has(network)) {
        seen.address = address
        return
      }
      // It may be the first use from there, for all that this instance knows.
      remember(id, seen, network, now)
      writeRecord(caller, network, origin)
    },
    async flush() {
      const uses = pending
      pending = new Map()
      if (uses.size === 0) return
      await writeLastUses(db, uses).catch((error: unknown) => {
        onError(error)
        for (const [id, at] of uses) pending.set(id, Math.max(at, pending.get(id) ?? 0))
      })
    },
    /** Waits for the records that are being written. */
    async settle() {
      await Promise.all(recording)
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
 * Records a use unless there is a record from this network, or one of the last hour: then the
 * result is false. The lock lets one of several instances decide at a time.
 */
async function recordFirstUse(db: Db, caller: KeyCaller, network: string, origin: Origin) {
  const { owner, key } = caller
  return transaction(db, async (tx) => {
    const locked = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.id, key.id))
      .for('no key update')
    if (locked.length === 0) return true // the key was deleted
    const isSame =
      network === 'unknown' ? sql`${activity.ip} is null` : sql`${activity.ip} <<= ${network}::inet`
    const isRecent = sql`${activity.at} > now() - ${ofSeconds(recordInterval / 1000)}`
    const [found] = await tx
      .select({ same: sql<boolean>`coalesce(bool_or(${isSame}), false)`, count: count() })
      .from(activity)
      .where(
        and(
          eq(activity.targetId, owner.id),
          eq(activity.action, 'key.use'),
          sql`${activity.details} ->> 'key' = ${key.id}`,
          or(isSame, isRecent)
        )
      )
    if (found && found.count > 0) return found.same
    await record(tx, authorOf(owner, origin), 'key.use', {
      target: targetOf(owner),
      details: { key: key.id }
    })
    return true
  })
}

const authorOf = (owner: KeyOwner, origin: Origin): Author =>
  owner.type === 'user'
    ? { type: 'user', source: 'api', id: owner.id, label: owner.email, ...origin }
    : { type: 'service', source: 'api', id: owner.id, label: owner.key, ...origin }
