// @ts-check
import { hashSync, verifySync } from '@node-rs/bcrypt'
import { doForeignWork, foreignWork, matchesForeign } from './foreign-comparison.js'

// JavaScript, because the threads of hashing.ts run it: see hashing-thread.js.

/**
 * Compares a password with a hash. After a mismatch further hashes add up to the work of one
 * comparison at `work.cost` and, for each kind of foreign hash in use, of its largest amount, so
 * that the duration does not reveal the hash. For a foreign hash, bcrypt's part is done in any
 * case, because it comes first. A single call does all of it, because on a busy machine a thread
 * waits for each call.
 * @param {{
 *   password: string,
 *   hash: string,
 *   work: { cost: number, foreign: Readonly<Record<string, number>> }
 * }} task
 * @param {{
 *   hashSync (password: string, cost: number): string,
 *   verifySync (password: string, hash: string): boolean,
 *   doForeignWork (kind: string, amount: number): Promise<void>,
 *   matchesForeign (password: string, stored: string): Promise<boolean>
 * }} calls
 */
export async function compare(
  { password, hash, work },
  calls = { hashSync, verifySync, doForeignWork, matchesForeign }
) {
  const done = foreignWork(hash)
  // bcrypt comes first for every hash: Argon2 before it takes 2 % less than after it.
  if (done) calls.hashSync(password, work.cost)
  const matches = done
    ? await calls.matchesForeign(password, hash)
    : calls.verifySync(password, hash)
  if (matches) return true
  // The work of a cost c is 2^c, so one comparison at c and one hash of each cost from c to n - 1
  // add up to 2^n.
  if (!done) for (let next = costOf(hash); next < work.cost; next++) calls.hashSync(password, next)
  for (const [kind, most] of Object.entries(work.foreign)) {
    const left = kind === done?.kind ? most - done.amount : most
    if (left > 0) await calls.doForeignWork(kind, left)
  }
  return false
}

/** @param {string} hash with or without a mark */
export const costOf = (hash) => Number(hash.split('$')[2])
