import { and, inArray, lte, not, or, sql } from 'drizzle-orm'
import { mailKinds, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'

type Kind = OutboxRow['kind']

const strangers: readonly Kind[] = [
  'confirm',
  'already-registered',
  'recovery',
  'email-verify',
  'email-change'
]

/**
 * Whether anybody can cause mail of this kind, also to an address of somebody else. Such mail goes
 * out after all other mail, and has a limit for the whole portal.
 */
export const isByStrangers = (kind: Kind) => strangers.includes(kind)

export const ofStrangers = inArray(outbox.kind, strangers)

/**
 * All other mail. Kinds that only a newer version knows are left to its instances, until the mail
 * has expired.
 */
export const ofOthers = and(
  not(ofStrangers),
  or(inArray(outbox.kind, mailKinds), lte(outbox.expiresAt, sql`now()`))
)
