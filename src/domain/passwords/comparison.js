// @ts-check
import { hashSync, verifySync } from '@node-rs/bcrypt'

// JavaScript, because the threads of hashing.ts run it: see hashing-thread.js.

/**
 * Compares a password with a hash. After a mismatch further hashes add up to the work of one
 * comparison at `cost`, so that the duration does not reveal the cost of the hash. A single call
 * does all of it, because on a busy machine a thread waits for each call.
 * @param {{ password: string, hash: string, cost: number }} task
 * @param {{
 *   hashSync (password: string, cost: number): string,
 *   verifySync (password: string, hash: string): boolean
 * }} bcrypt
 */
export function compare({ password, hash, cost }, bcrypt = { hashSync, verifySync }) {
  if (bcrypt.verifySync(password, hash)) return true
  // The work of a cost c is 2^c, so one comparison at c and one hash of each cost from c to n - 1
  // add up to 2^n.
  for (let next = costOf(hash); next < cost; next++) bcrypt.hashSync(password, next)
  return false
}

/** @param {string} hash with or without a mark */
export const costOf = (hash) => Number(hash.split('$')[2])
