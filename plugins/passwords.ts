import fp from 'fastify-plugin'
import { createPasswords } from '../src/domain/passwords.ts'
import type { Passwords } from '../src/domain/passwords.ts'

declare module 'fastify' {
  interface FastifyInstance { passwords: Passwords }
}

export default fp(async (app) => {
  app.decorate('passwords', createPasswords({ minLength: app.config.PASSWORD_MIN_LENGTH, cost: app.config.BCRYPT_COST }))
}, { name: 'passwords', dependencies: ['config'] })
