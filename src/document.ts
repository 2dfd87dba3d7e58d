import { buildApp } from './app.ts'
import type { LoadedApp } from './base/load.ts'
import { loadConfig } from './config/config.ts'
import { randomText } from './domain/crypto.ts'
import { createConsoleAccess } from './http/operator.ts'
import type { Operator } from './http/operator.ts'
import type { Surface } from './http/surface.ts'

interface Contents {
  /** A file as for SETTINGS_SCHEMA, by which settings are typed. */
  settingsSchema?: string | undefined
  /** Not on the surface `console`, which does not serve it. */
  ownApp?: LoadedApp | undefined
  /** Whether API keys can manage users, as with MACHINE_ADMIN. */
  commands?: boolean | undefined
}

/**
 * The OpenAPI document of a surface, generated from the routes without a database or a listening
 * socket. An app may use whatever the portal decorates, so with one everything is loaded, on a
 * database in memory.
 */
export async function documentOf(
  surface: Surface,
  { settingsSchema, ownApp, commands = false }: Contents = {}
): Promise<string> {
  const app = buildApp(
    loadConfig({
      NODE_ENV: surface === 'development' ? 'development' : 'production',
      PUBLIC_ORIGIN: 'https://portal.example.com',
      DATABASE_URL: ownApp ? 'pglite:memory' : 'postgres://localhost/portal',
      SECRET_KEYS: `k1:${randomText()}`,
      LOG_LEVEL: 'silent',
      ...(settingsSchema && { SETTINGS_SCHEMA: settingsSchema }),
      ...(commands && { MACHINE_ADMIN: 'on' }),
      // Without it, the operation that opens a scope does not exist.
      SCOPES_SELF: 'project:owner'
    }),
    { documentOnly: !ownApp, ownApp, ...(surface === 'console' && { operator: nobody }) }
  )
  await app.ready()
  const text = JSON.stringify(app.swagger(), null, 2) + '\n'
  await app.close()
  return text
}

/** Its routes are listed, and never called. */
const nobody: Operator = {
  actor: { type: 'cli', source: 'cli', label: '' },
  canWrite: false,
  access: createConsoleAccess(() => {}),
  database: '',
  machine: '',
  onSeen() {},
  onConnected() {},
  onChange() {},
  end() {}
}
