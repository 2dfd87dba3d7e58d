// @ts-check
import { hashSync, verifySync } from '@node-rs/bcrypt'

// JavaScript, because the threads of hashing.ts run it: see hashing-thread.js.

/**
 * Compares a password with a hash. Where it does not match, further hashes bring the work to that of one comparison
 * at `cost`, so that the time of a refusal does not tell the cost of the hash. All in one go: on a busy machine a
 * thread waits for its turn each time it is called.
 * @param {{ password: string, hash: string, cost: number }} task
 * @param {{ hashSync (password: string, cost: number): string, verifySync (password: string, hash: string): boolean }} bcrypt
 */
export function compare({ password, hash, cost }, bcrypt = { hashSync, verifySync }) {
  if (bcrypt.verifySync(password, hash)) return true
  // The work of a cost is 2^cost; that of one comparison and of each cost from there up to n - 1 is 2^n.
  for (let next = costOf(hash); next < cost; next++) bcrypt.hashSync(password, next)
  return false
}

/** @param {string} hash with or without a mark before it */
export const costOf = (hash) => Number(hash.split('$')[2])
