import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Database } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { newKey } from '../../src/domain/keys/key-form.ts'
import { createServiceKey } from '../../src/domain/services/key-creation.ts'
import { createService, grantServiceRole } from '../../src/domain/services/services.ts'
import { aRole, operator } from './app.ts'

interface Limits {
  days?: number
  permissions?: string[]
  networks?: string[]
}

/** A service with these roles. */
export async function aService({ db }: Pick<Database, 'db'>, ...roles: string[]) {
  const key = `service-${randomBytes(6).toString('hex')}`
  const service = await createService(db, operator, { key, name: 'A service' })
  for (const role of roles) await grantServiceRole(db, operator, { service: key, role })
  return service
}

/** A key of a service. */
export const aServiceKey = (
  { db }: Pick<Database, 'db'>,
  service: { key: string },
  limits: Limits = {}
) => createServiceKey(db, operator, { service: service.key, name: 'A key', ...limits })

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A service with these permissions, and a function that sends its requests. */
export async function aMachine(app: FastifyInstance, ...permissions: string[]) {
  const role = await aRole(app.database, ...permissions)
  const service = await aService(app.database, role)
  const { id: keyId, secret } = await aServiceKey(app.database, service)
  const call = (
    method: Method,
    url: string,
    payload?: object,
    headers: InjectOptions['headers'] = {}
  ) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${secret}`, ...headers },
      ...(payload && { payload })
    })
  return { service, role, keyId, secret, call }
}

type Headers = Record<string, string>

/** Gives an owner so many active keys of two days ago that nobody knows, and that expire tomorrow. */
export async function fillKeys(
  { db }: Pick<Database, 'db'>,
  owner: { userId: string } | { serviceId: string },
  count: number,
  columns: Pick<Partial<typeof apiKeys.$inferInsert>, 'name' | 'expiresAt'> = {}
) {
  const keys = Array.from({ length: count }, () => newKey())
  await db.insert(apiKeys).values(
    keys.map(({ hash, lastFour }) => ({
      id: randomUUID(),
      ...owner,
      name: 'A key',
      hash,
      lastFour,
      assurance: 1 as const,
      createdAt: sql`now() - interval '2 days'`,
      expiresAt: sql`now() + interval '1 day'`,
      ...columns
    }))
  )
}

/** Requests with an API key. */
export const keyCaller = (app: FastifyInstance, secret: string) => {
  const authorization = `Bearer ${secret}`
  return {
    check: (query = '', headers: Headers = {}) =>
      app.inject({
        url: `/api/auth/check?accept=key${query}`,
        headers: { authorization, 'x-original-method': 'GET', ...headers }
      }),
    me: (headers: Headers = {}) =>
      app.inject({ url: '/api/machine/me', headers: { authorization, ...headers } })
  }
}
