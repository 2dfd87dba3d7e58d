import { channel } from 'node:diagnostics_channel'
import path from 'node:path'
import { Piscina } from 'piscina'

/** For src/tracing.ts. Without a subscriber nothing is published. */
export const hashes = channel('portal.hash')

/** The message to subscribers when a password is hashed or compared. */
export interface StartedHash {
  name: 'hash' | 'verify'
  result: Promise<unknown>
}

/** The work of a comparison that fails. */
export interface Work {
  /** Cost of bcrypt. */
  cost: number
  /** The largest amount of each kind of foreign hash in use: see foreignWork. */
  foreign: Readonly<Record<string, number>>
}

/** bcrypt and foreign hashes, in this thread or in others. */
export interface Hashing {
  hash(password: string, cost: number): Promise<string>
  /** A comparison that fails does at least this work. */
  verify(password: string, hash: string, work: Work): Promise<boolean>
}

/**
 * Hashes in separate threads of low priority, so that many logins neither slow down the event loop
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
  const run = <T>(name: StartedHash['name'], task: object) => {
    const result = pool.run(task, { name }) as Promise<T>
    if (hashes.hasSubscribers) hashes.publish({ name, result } satisfies StartedHash)
    return result
  }
  return {
    hash: (password, cost) => run<string>('hash', { password, cost }),
    verify: (password, hash, work) => run<boolean>('verify', { password, hash, work }),
    stop: () => pool.destroy()
  }
}
