import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, cookieOf, operator, password, testDatabaseUrl } from '../support/app.ts'
import { shared, startInstance } from '../resilience/instances.ts'
import { post } from '../support/server-process.ts'
import { startService } from './asking.ts'
import { appPage, startCaddy, startHaproxy, startNginx } from './proxies.ts'
import type { Proxy } from './proxies.ts'

/** Two instances of the portal as processes, their database, and a service. */
export async function aWorld(t: Test, env: Record<string, string> = {}) {
  const DATABASE_URL = await testDatabaseUrl(t)
  const common = { ...shared, DATABASE_URL, TRUST_PROXY: '127.0.0.1', ...env }
  const instances = await Promise.all([startInstance(t, common), startInstance(t, common)])
  await Promise.all(instances.map((instance) => instance.ready()))
  const [one, two] = instances
  const database = await openDatabase(DATABASE_URL, { poolMax: 5 })
  t.teardown(() => database.close())
  await createPermission(database.db, operator, { key: 'invoices:read' })
  const reader = await aRole(database, 'invoices:read')
  return {
    url: DATABASE_URL,
    instances,
    database,
    /** A role with the permission that the service requires. */
    reader,
    service: await startService(t),
    portals: [one.port, two.port] as const,
    /** A new user with a session, who may read invoices or has these roles instead. */
    async signedInUser(roles = [reader]) {
      const user = await aUser(database)
      for (const role of roles) await grantRole(database.db, operator, { userId: user.id, role })
      const login = await post(one, '/api/auth/login', { email: user.email, password })
      return {
        id: user.id,
        cookie: cookieOf({
          statusCode: login.status,
          headers: { 'set-cookie': login.headers.getSetCookie() }
        })
      }
    }
  }
}

/**
 * The proxies in front of these portals and this service, which check with this query. HAProxy passes
 * requests for the app on, to a server with its page unless a port is given.
 */
export async function theProxies(
  t: Test,
  behind: { portals: readonly [number, number]; service: { port: number }; app?: number },
  query = 'permission=invoices:read'
): Promise<Proxy[]> {
  const app = behind.app ?? (await startApp(t))
  const all = { portals: behind.portals, service: behind.service.port, app }
  const changes = { 'permission=invoices:read': query }
  return [
    await startNginx(t, all, changes),
    await startHaproxy(t, all, changes),
    await startCaddy(t, all, changes)
  ]
}

async function startApp(t: Test) {
  const server = createServer((_request, response) => response.end(appPage))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
