import { availableParallelism } from 'node:os'
import fp from 'fastify-plugin'
import { createBulkhead } from '../src/domain/bulkhead.ts'
import { createPasswords } from '../src/domain/passwords.ts'
import type { Passwords } from '../src/domain/passwords.ts'

declare module 'fastify' {
  interface FastifyInstance { passwords: Passwords }
}

const waiting = 16
const patience = 3000

/** Hashing never fills the thread pool: files and names are looked up in it as well. */
export default fp(async (app) => {
  const { PASSWORD_MIN_LENGTH: minLength, BCRYPT_COST: cost, UV_THREADPOOL_SIZE: threads } = app.config
  const running = Math.max(1, Math.min(availableParallelism(), threads - 2))
  app.decorate('passwords', createPasswords({ minLength, cost, bulkhead: createBulkhead({ running, waiting, patience }) }))
}, { name: 'passwords', dependencies: ['config'] })
