import path from 'node:path'
import { Piscina } from 'piscina'

/** bcrypt, wherever it is done. */
export interface Hashing {
  hash(password: string, cost: number): Promise<string>
  /** Where it does not match, it takes the work of one comparison at `cost`, if that is more. */
  verify(password: string, hash: string, cost: number): Promise<boolean>
}

/**
 * bcrypt in threads of its own, of low priority: a storm of logins leaves the event loop its core, and Node's thread pool to files
 * and names, which wait behind it otherwise. Threads start when they are needed, and end when they are not.
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
