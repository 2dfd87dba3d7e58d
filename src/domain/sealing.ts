import { and, asc, getTableColumns, gt, isNotNull, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { webhookEndpoints } from '../../db/schema/webhooks.ts'
import { transaction } from '../../db/transaction.ts'
import { decrypt, deriveKey, encrypt, randomBuffer } from './crypto.ts'

// Values that must be read again are sealed; values that must only be recognized are hashed.

/** Purposes of sealed values. A value that was sealed for one purpose opens for no other. */
type SealPurpose = 'flow' | 'mail' | 'totp' | 'webhook'

interface SealingKey {
  kid: string
  secret: Uint8Array
}

export type Sealing = ReturnType<typeof createSealing>

const version = 1
const sizes = { key: 32, nonce: 12, salt: 16, tag: 16 }

/**
 * AES-256-GCM under a key and nonce of their own for each value, derived from a secret and a random
 * salt by HKDF-SHA-256. The first key seals, all open. The form of a sealed value:
 * `01 ‖ length of kid ‖ kid ‖ salt ‖ tag ‖ text`.
 */
export function createSealing(keys: readonly SealingKey[]) {
  const [first] = keys
  if (!first) throw new Error('no key to seal with')

  /** @param context the id of the row: in any other row the value does not open */
  const seal = (purpose: SealPurpose, context: string, plain: Uint8Array): Buffer => {
    const salt = randomBuffer(sizes.salt)
    const { key, nonce } = derive(first.secret, salt, purpose)
    const { text, tag } = encrypt(key, nonce, context, plain)
    const kid = Buffer.from(first.kid)
    return Buffer.concat([Buffer.of(version, kid.length), kid, salt, tag, text])
  }

  /** Undefined for a value that was changed or moved, or whose key was dropped. */
  const open = (purpose: SealPurpose, context: string, sealed: Uint8Array): Buffer | undefined => {
    const parts = partsOf(sealed)
    const secret = keys.find(({ kid }) => kid === parts?.kid)?.secret
    if (!parts || !secret) return undefined
    const { key, nonce } = derive(secret, parts.salt, purpose)
    return decrypt(key, nonce, context, parts.tag, parts.text)
  }

  /** Which key sealed a value: the current one, an older one, or none that is known. */
  const judge = (purpose: SealPurpose, context: string, sealed: Uint8Array) => {
    if (open(purpose, context, sealed) === undefined) return 'unreadable'
    return partsOf(sealed)?.kid === first.kid ? 'current' : 'old'
  }

  return { seal, open, judge }
}

function derive(secret: Uint8Array, salt: Uint8Array, purpose: SealPurpose) {
  const bytes = deriveKey(secret, `seal:${purpose}`, { salt, length: sizes.key + sizes.nonce })
  return { key: bytes.subarray(0, sizes.key), nonce: bytes.subarray(sizes.key) }
}

/** Undefined when it is too short or of an unknown version. */
function partsOf(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const kidEnd = 2 + (bytes[1] ?? 0)
  const saltEnd = kidEnd + sizes.salt
  const tagEnd = saltEnd + sizes.tag
  if (bytes[0] !== version || bytes.length < tagEnd) return undefined
  return {
    kid: bytes.toString('latin1', 2, kidEnd),
    salt: bytes.subarray(kidEnd, saltEnd),
    tag: bytes.subarray(saltEnd, tagEnd),
    text: bytes.subarray(tagEnd)
  }
}

// Counts and reseals all sealed values of the database, for a change of SECRET_KEYS.

interface SealedColumn {
  purpose: SealPurpose
  table: PgTable
  /** The context of the value in the same row. */
  id: PgColumn
  value: PgColumn
}

// Without `pendingTotp` of sessions: after a change of keys, the user starts again.
const columns: SealedColumn[] = [
  { purpose: 'mail', table: outbox, id: outbox.id, value: outbox.payload },
  { purpose: 'totp', table: totp, id: totp.userId, value: totp.secret },
  ...[webhookEndpoints.secret, webhookEndpoints.formerSecret].map((value) => ({
    ...{ purpose: 'webhook' as const, table: webhookEndpoints, id: webhookEndpoints.id, value }
  }))
]

interface Sealed {
  id: string
  value: Uint8Array
}

const batchSize = 500

/** All values, in the order of their ids. */
async function* batches(db: Db) {
  for (const column of columns) {
    const { table, id, value } = column
    let after: string | undefined
    do {
      const rows = (await db
        .select({ id, value })
        .from(table)
        .where(and(isNotNull(value), after === undefined ? undefined : gt(id, after)))
        .orderBy(asc(id))
        .limit(batchSize)) as Sealed[]
      yield { column, rows }
      after = rows.length === batchSize ? rows.at(-1)?.id : undefined
    } while (after !== undefined)
  }
}

/** Leaves out rows whose value has changed since it was read. */
async function replace(
  db: Db,
  { table, id: idColumn, value: column }: SealedColumn,
  rows: (Sealed & { resealed: Uint8Array })[]
) {
  const values = rows.map(
    ({ id, value, resealed }) => sql`(${id}::uuid, ${value}::bytea, ${resealed}::bytea)`
  )
  const [name] = Object.entries(getTableColumns(table)).find(([, each]) => each === column) ?? ['']
  await transaction(db, (tx) =>
    tx
      .update(table)
      .set({ [name]: sql`resealed` })
      .from(sql`(values ${sql.join(values, sql`, `)}) as renewed (renewed_id, sealed, resealed)`)
      .where(sql`${idColumn} = renewed_id and ${column} = sealed`)
  )
}

/**
 * Counts values by the key that opens them: the first, an older one, or none. Opens each, some
 * 20,000 a second. `locked`: the users whose secret no key opens, so that they cannot use codes.
 */
export async function countSealed(db: Db, sealing: Sealing) {
  const counts = { current: 0, old: 0, unreadable: 0, locked: 0 }
  for await (const { column, rows } of batches(db)) {
    for (const { id, value } of rows) {
      const judgement = sealing.judge(column.purpose, id, value)
      counts[judgement] += 1
      if (judgement === 'unreadable' && column.purpose === 'totp') counts.locked += 1
    }
  }
  return counts
}

/**
 * Seals under the first key every value that an older one sealed. Values that no key opens stay as
 * they are. May run while the portal does, and again after it was interrupted.
 */
export async function reseal(db: Db, sealing: Sealing) {
  const counts = { resealed: 0, unreadable: 0 }
  for await (const { column, rows } of batches(db)) {
    const { purpose } = column
    const renewed = rows.flatMap((row) => {
      const judgement = sealing.judge(purpose, row.id, row.value)
      if (judgement === 'unreadable') counts.unreadable += 1
      const plain = judgement === 'old' && sealing.open(purpose, row.id, row.value)
      return plain ? { ...row, resealed: sealing.seal(purpose, row.id, plain) } : []
    })
    if (renewed.length > 0) await replace(db, column, renewed)
    counts.resealed += renewed.length
  }
  return counts
}
