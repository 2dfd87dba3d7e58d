import { randomBytes } from 'node:crypto'
import { ConfigError, loadConfig } from '../../src/config/config.ts'

export const key = randomBytes(32).toString('base64url')
/** The variables that production needs. */
export const production = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://portal.example.com',
  DATABASE_URL: 'postgres://portal@db.example.com/portal?sslmode=verify-full',
  SECRET_KEYS: `k1:${key}`
}
export const development = { NODE_ENV: 'development', SECRET_KEYS: `k1:${key}` }

/** The problems that loadConfig reports. */
export function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
