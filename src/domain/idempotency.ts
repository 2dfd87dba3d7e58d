import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { idempotencyKeys } from '../../db/schema/idempotency.ts'
import type { Actor } from './actor.ts'
import { sha256 } from './crypto.ts'
import { DomainError } from './errors.ts'

const { hash, request, result, createdAt } = idempotencyKeys

/**
 * Takes the Idempotency-Key of the actor, waiting for a transaction that has it. Returns what the
 * change returned, if it was made in the last day. Throws `idempotency-key-reused` for a key that
 * came with another request, and `user-not-found` when the user whom it created is deleted.
 */
export async function findDone(tx: Db, { id, once }: Actor) {
  if (!once) return undefined
  const row = { hash: hashOf(id, once.key), request: sha256(once.request) }
  const isOld = sql`${createdAt} < now() - interval '1 day'`
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ ...row, result: {} })
    .onConflictDoUpdate({
      target: hash,
      set: { request: row.request, result: {}, createdAt: sql`now()` },
      setWhere: isOld
    })
    .returning({ hash })
  if (taken.length > 0) return undefined
  const [done] = await tx
    .select({ request, result })
    .from(idempotencyKeys)
    .where(eq(hash, row.hash))
  if (!done || !row.request.equals(done.request)) throw new DomainError('idempotency-key-reused')
  if (done.result === null) throw new DomainError('user-not-found')
  return done.result
}

/** Keeps what the change returned, which is JSON. Call it in the transaction of `findDone`. */
export async function keepDone(tx: Db, { id, once }: Actor, returned: unknown) {
  if (!once || typeof returned !== 'object' || returned === null) return
  await tx
    .update(idempotencyKeys)
    .set({ result: returned })
    .where(eq(hash, hashOf(id, once.key)))
}

/** Forgets what changes returned about a user who is deleted. */
export const forgetDone = (tx: Db, userId: string) =>
  tx
    .update(idempotencyKeys)
    .set({ result: null })
    .where(sql`${result}->>'id' = ${userId}`)

const hashOf = (ownerId: string | undefined, key: string) => sha256(`${ownerId} ${key}`)
