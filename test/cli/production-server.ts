import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { cookieOf, password } from '../support/app.ts'
import { startServer as start } from '../support/server-process.ts'

/** The configuration of production, without a database. */
export const production = () => ({
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  BCRYPT_COST: '10'
})

/** A server in production mode, until the test ends or `stop` is called. */
export async function startServer(t: Test, env: Record<string, string>) {
  const { process, base, exit, ready } = await start(t, {
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_SECONDS: '0',
    LOG_LEVEL: 'warn',
    ...env
  })
  await ready()
  const post = (url: string, body: object, cookie = '') =>
    fetch(base + url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body)
    })
  return {
    post,
    signIn: async (email: string) => {
      const response = await post('/api/auth/login', { email, password })
      return cookieOf({
        statusCode: response.status,
        headers: { 'set-cookie': response.headers.getSetCookie() }
      })
    },
    me: async (cookie: string) =>
      (await fetch(`${base}/api/auth/me`, { headers: { cookie } })).status,
    stop: async () => {
      process.kill('SIGTERM')
      return exit
    }
  }
}
