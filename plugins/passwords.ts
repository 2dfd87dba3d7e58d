import fp from 'fastify-plugin'
import { withSlack } from '../db/transaction.ts'
import { createBulkhead } from '../src/domain/bulkhead.ts'
import { startHashing } from '../src/domain/passwords/hashing.ts'
import { createPasswords, findStoredWork } from '../src/domain/passwords/passwords.ts'
import type { Passwords } from '../src/domain/passwords/passwords.ts'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
    /** The number of running hashes, and of requests that wait for one. */
    hashLoad(): { running: number; waiting: number }
  }
}

const waiting = 16
/** Milliseconds. */
const maxWait = 3000

/** Hashes run in threads of low priority. A limited number can wait for a limited time. */
export default fp(
  async (app) => {
    const { PASSWORD_MIN_LENGTH: minLength, BCRYPT_COST: cost, HASH_THREADS: running } = app.config
    const hashing = startHashing(running)
    app.addHook('onClose', () => hashing.stop())
    const bulkhead = createBulkhead({ running, waiting, maxWait: withSlack(maxWait) })
    app.decorate(
      'passwords',
      createPasswords({
        minLength,
        cost,
        hashing,
        bulkhead,
        storedWork: () => findStoredWork(app.db)
      })
    )
    app.decorate('hashLoad', bulkhead.load)
  },
  { name: 'passwords', dependencies: ['config', 'db'] }
)
