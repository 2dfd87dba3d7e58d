import type { FastifyInstance } from 'fastify'
import { cookieHeader, goThrough } from './flow.ts'
import type { Jar } from './flow.ts'

/** A browser with cookies of its own, which walks through providers and calls the portal. */
export function aBrowser(app: FastifyInstance, cookie?: string) {
  const jar: Jar = new Map()
  for (const pair of cookie?.split('; ') ?? []) {
    const at = pair.indexOf('=')
    jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
  const through = (
    key: string,
    person?: string,
    more: Partial<Parameters<typeof goThrough>[2]> = {}
  ) => goThrough(app, jar, { key, ...(person !== undefined && { person }), ...more })
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { cookie: cookieHeader(jar) },
      ...(payload && { payload })
    })
  return {
    jar,
    through,
    call,
    /** The signed-in user and session, or undefined. */
    async me() {
      const response = await call('GET', '/api/auth/me')
      return response.statusCode === 200
        ? (response.json() as {
            user: {
              id: string
              email: string
              emailVerified: boolean
              name: string
              roles: string[]
            }
            session: {
              id: string
              amr: string[]
              assurance: number
              expiresAt: string
              authenticatedAt: string
            }
          })
        : undefined
    }
  }
}
