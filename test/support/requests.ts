import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../db/schema/users.ts'
import { password } from './app.ts'

/** Short forms of what tests of sign-in and recovery send, and of the row that they look at. */
export function clientOf(app: FastifyInstance) {
  const post = (url: string, payload: object, cookie = '') =>
    app.inject({ method: 'POST', url, headers: { cookie }, payload })
  return {
    post,
    /** The status of a login. */
    login: async (email: string, secret = password) =>
      (await post('/api/auth/login', { email, password: secret })).statusCode,
    /** The status of a session check. */
    me: async (cookie: string) =>
      (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode,
    rowOf: async (id: string) => (await app.db.select().from(users).where(eq(users.id, id)))[0]
  }
}
