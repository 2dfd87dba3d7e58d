import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '../../db/client.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { clean, startPostgres } from './postgres.ts'

export const raised = '900000/0.001'

/**
 * For scripts: the portal on its own PostgreSQL server, with cost 10 and practically without rate
 * limits.
 */
export async function openToAttack(name: string, env: Record<string, string>) {
  const folder = path.join(os.tmpdir(), name)
  await clean(folder)
  const url = await startPostgres(folder)
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  const app = buildApp(
    loadConfig({
      DATABASE_URL: url,
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
      BCRYPT_COST: '10',
      LOG_LEVEL: 'silent',
      THROTTLE_LOGIN_PAIR: raised,
      THROTTLE_LOGIN_SOURCE: raised,
      THROTTLE_LOGIN_ACCOUNT: raised,
      THROTTLE_REGISTER: raised,
      ...env
    }),
    { database }
  )
  return {
    app,
    async close() {
      await app.close()
      await clean(folder)
    }
  }
}
