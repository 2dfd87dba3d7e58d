import { hash } from 'node:crypto'
import type { ProofChallenge } from '../../src/problems/challenges.ts'

/** Solves a challenge as its description says, and returns the header with the solution. */
export function solve({ salt, difficulty, expiresAt, signature }: ProofChallenge): string {
  const input = Buffer.alloc(20)
  Buffer.from(salt, 'base64url').copy(input)
  const found: number[] = []
  for (let n = 0; found.length < 8; n++) {
    input.writeUInt32BE(n, 16)
    const digest = hash('sha256', input, 'buffer')
    if (digest.readUInt32BE() < 2 ** 35 / difficulty) found.push(n)
  }
  return [salt, difficulty, expiresAt, signature, found.join(',')].join(';')
}
