import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { spentChallenges } from '../../../db/schema/second-factors.ts'
import { createSigner, randomBuffer, sha256 } from '../crypto.ts'

/** Seconds for which a challenge is valid. */
export const challengeSeconds = 300

/** A challenge is not accepted for another purpose, user or session. */
export type ChallengePurpose =
  | 'passkey-login'
  | `passkey-${'add' | 'prove'}:${string /* user id */}:${string /* session id */}`

/** A challenge that was issued here. It may have expired or been used. */
export interface Challenge {
  hash: Uint8Array
  expiresAt: Date
}

const randomLength = 16
const bodyLength = randomLength + 4
const form = /^[A-Za-z0-9_-]{70}$/

export type Challenges = ReturnType<typeof createChallenges>

/**
 * Challenges of WebAuthn that need no row until they are answered, because anybody can ask for any
 * number: `16 random bytes ‖ expiry in seconds ‖ HMAC-SHA-256 of the purpose and those 20 bytes`.
 * @param keys the first signs, all verify
 * @param now milliseconds since 1970
 */
export function createChallenges(keys: readonly Uint8Array[], now = () => Date.now()) {
  const { sign, verifies } = createSigner(keys)
  const textOf = (purpose: ChallengePurpose, body: Buffer) =>
    `${purpose}\0${body.toString('base64url')}`
  return {
    /** In base64url, as WebAuthn expects it. */
    issue(purpose: ChallengePurpose): string {
      const body = Buffer.alloc(bodyLength)
      randomBuffer(randomLength).copy(body)
      body.writeUInt32BE(Math.floor(now() / 1000) + challengeSeconds, randomLength)
      return Buffer.concat([body, sign(textOf(purpose, body))]).toString('base64url')
    },
    /** Undefined when it was not issued for this purpose. `spendChallenge` checks its time. */
    read(purpose: ChallengePurpose, text: string): Challenge | undefined {
      if (!form.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      const body = bytes.subarray(0, bodyLength)
      const mac = bytes.subarray(bodyLength)
      if (!verifies(mac, textOf(purpose, body))) return undefined
      return { hash: sha256(bytes), expiresAt: new Date(body.readUInt32BE(randomLength) * 1000) }
    }
  }
}

/**
 * Uses up a challenge in the transaction of the sign-in or change, unless it was used before or has
 * expired. Of two concurrent uses one succeeds. The clock of the database decides, as it does
 * about deletion: a row is deleted only when its challenge can no longer be accepted.
 */
export async function spendChallenge(
  tx: Db,
  { hash, expiresAt }: Challenge
): Promise<'used' | 'repeated' | 'expired'> {
  const [spent] = await tx
    .insert(spentChallenges)
    .values({ hash, expiresAt })
    .onConflictDoNothing()
    .returning({ inTime: sql<boolean>`${spentChallenges.expiresAt} > clock_timestamp()` })
  if (!spent) return 'repeated'
  return spent.inTime ? 'used' : 'expired'
}
