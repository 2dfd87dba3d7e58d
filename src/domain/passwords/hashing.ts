import path from 'node:path'
import { Piscina } from 'piscina'

/** bcrypt, in this thread or in others. */
export interface Hashing {
  hash(password: string, cost: number): Promise<string>
  /** A comparison that fails does at least the work of one comparison at `cost`. */
  verify(password: string, hash: string, cost: number): Promise<boolean>
}

/**
 * bcrypt in separate threads of low priority, so that many logins neither slow down the event loop
 * nor block Node's thread pool, which file access and name lookups need. Threads start on demand
 * and end when idle.
 */
export function startHashing(threads: number): Hashing & { stop(): Promise<void> } {
  const pool = new Piscina({
    filename: path.join(import.meta.dirname, 'hashing-thread.js'),
    execArgv: [],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000
  })
  return {
    hash: (password, cost) => pool.run({ password, cost }, { name: 'hash' }) as Promise<string>,
    verify: (password, hash, cost) =>
      pool.run({ password, hash, cost }, { name: 'verify' }) as Promise<boolean>,
    stop: () => pool.destroy()
  }
}
