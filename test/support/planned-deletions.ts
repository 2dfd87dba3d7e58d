import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../db/schema/users.ts'
import { password } from './app.ts'

interface Caller {
  call(method: 'POST', url: string, payload?: object): Promise<{ statusCode: number; body: string }>
}

/** Asks for the deletion of the caller's account. Returns when it is due. */
export async function plan({ call }: Caller) {
  const response = await call('POST', '/api/user/deletion', { currentPassword: password })
  if (response.statusCode !== 202) throw new Error(`not planned: ${response.body}`)
  return (JSON.parse(response.body) as { deleteAt: string }).deleteAt
}

/** The response to a sign-in with the password. */
export const signIn = (app: FastifyInstance, email: string, more: object = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password, ...more } })

/** Ends the days in which the user can restore the account. */
export const letPass = ({ db }: Pick<FastifyInstance, 'db'>, { id }: { id: string }) =>
  db
    .update(users)
    .set({ deleteAt: sql`now() - interval '1 second'` })
    .where(eq(users.id, id))

/** The status of a user and when the account is due, or undefined. */
export async function stateOf({ db }: Pick<FastifyInstance, 'db'>, { id }: { id: string }) {
  const [found] = await db
    .select({ status: users.status, deleteAt: users.deleteAt })
    .from(users)
    .where(eq(users.id, id))
  return found
}
