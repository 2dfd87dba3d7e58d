import { buildApp } from './app.ts'
import { loadConfig } from './config/config.ts'
import { randomText } from './domain/crypto.ts'

/**
 * The OpenAPI document of a mode, generated from the routes without a database or a listening
 * socket.
 */
export async function documentOf(mode: 'production' | 'development'): Promise<string> {
  const app = buildApp(
    loadConfig({
      NODE_ENV: mode,
      PUBLIC_ORIGIN: 'https://portal.example.com',
      DATABASE_URL: 'postgres://localhost/portal',
      SECRET_KEYS: `k1:${randomText()}`,
      LOG_LEVEL: 'silent'
    }),
    { documentOnly: true }
  )
  await app.ready()
  const text = JSON.stringify(app.swagger(), null, 2) + '\n'
  await app.close()
  return text
}
