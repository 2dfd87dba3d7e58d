import { createSigner, randomText, sha256 } from '../crypto.ts'
import { proofForm } from '../../problems/challenges.ts'
import type { ProofChallenge, proofPurposes } from '../../problems/challenges.ts'

export interface Asked {
  purpose: (typeof proofPurposes)[number]
  /** The unique form of the address that the mail would go to. */
  email: string
}

/** Seconds for which a challenge can be solved. */
const proofSeconds = 300
/** Several short searches take a more even time than a long one. */
const hits = 8

export type Proofs = ReturnType<typeof createProofs>

/** @param keys the first signs, all verify */
export function createProofs(keys: readonly Uint8Array[]) {
  const { sign, verifies } = createSigner(keys)
  const textOf = ({ purpose, email }: Asked, challenge: Omit<ProofChallenge, 'signature'>) => {
    const { salt, difficulty, expiresAt } = challenge
    return JSON.stringify([purpose, email, salt, difficulty, expiresAt])
  }
  return {
    issue(asked: Asked, difficulty: number, now: Date): ProofChallenge {
      const expiresAt = new Date(now.getTime() + proofSeconds * 1000).toISOString()
      const unsigned = { salt: randomText(16), difficulty, expiresAt }
      return { ...unsigned, signature: sign(textOf(asked, unsigned)).toString('base64url') }
    },
    /** Undefined unless it solves a challenge that was issued for this. It may have expired. */
    read(asked: Asked, proof: string) {
      const [, salt, bits, expiresAt, signature, numbers] = proofForm.exec(proof) ?? []
      if (!salt || !expiresAt || !signature || !numbers) return undefined
      const difficulty = Number(bits)
      const text = textOf(asked, { salt, difficulty, expiresAt })
      if (!verifies(Buffer.from(signature, 'base64url'), text)) return undefined
      const found = new Set(numbers.split(',').map(Number))
      const isSolved = found.size === hits && [...found].every((n) => isHit(salt, difficulty, n))
      if (!isSolved) return undefined
      return { hash: sha256(`proof\0${salt}`), difficulty, expiresAt: new Date(expiresAt) }
    }
  }
}

/** SHA-256 of the salt and the number as four bytes begins with a number below the target. */
function isHit(salt: string, difficulty: number, n: number) {
  if (n >= 2 ** 32) return false
  const bytes = Buffer.alloc(20)
  Buffer.from(salt, 'base64url').copy(bytes)
  bytes.writeUInt32BE(n, 16)
  return sha256(bytes).readUInt32BE() < (2 ** 32 * hits) / difficulty
}
