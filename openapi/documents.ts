import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'

export const modes = ['production', 'development'] as const
type Mode = typeof modes[number]

export const fileOf = (mode: Mode) => path.join(import.meta.dirname, mode === 'production' ? 'portal.json' : 'portal.dev.json')

/** The OpenAPI document of a mode as it is committed: made from the routes, without a database and without listening. */
export async function documentOf (mode: Mode): Promise<string> {
  const app = buildApp(loadConfig({
    NODE_ENV: mode,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    DATABASE_URL: 'postgres://localhost/portal',
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    LOG_LEVEL: 'silent'
  }), { documentOnly: true })
  await app.ready()
  const text = JSON.stringify(app.swagger(), null, 2) + '\n'
  await app.close()
  return text
}
