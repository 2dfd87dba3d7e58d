import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { exampleProviders } from '../../src/config/development-files.ts'
import { startApple } from '../support/providers/apple.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'

/**
 * Providers for a portal at localhost. They are at 127.0.0.1, so that to a browser these are two
 * sites; the example is at the portal itself.
 */
export async function startProviders(t: Test) {
  const apple = await startApple(t)
  return {
    apple,
    /** For the portal with this origin. */
    async providersOf(portal: string) {
      const acme = await startOidcProvider(t, { portal })
      return [
        configured.oidc(acme, { trustsEmail: 'claim' }),
        configured.apple(apple),
        ...exampleProviders({ PUBLIC_ORIGIN: portal })
      ]
    }
  }
}

/**
 * Development has cookies for any site, because its address has no https. Those of production are
 * strict, and what happens to these is what matters when a browser comes back from a provider.
 */
export function makeCookiesStrict(app: FastifyInstance) {
  app.server.prependListener('request', (_, response: ServerResponse) => {
    const { setHeader, writeHead } = response
    const strict = (value: unknown) =>
      [value].flat().map((each) => String(each).replace(/SameSite=Lax/i, 'SameSite=Strict'))
    response.setHeader = (name, value) =>
      setHeader.call(response, name, /^set-cookie$/i.test(name) ? strict(value) : value)
    response.writeHead = (status: number, headers?: unknown) => {
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
      return writeHead.call(response, status)
    }
  })
}

interface Cookie {
  name: string
  sameSite?: string
  httpOnly?: boolean
}

/** Fails unless there is a session, every cookie of the portal is strict, and no way has stayed. */
export function checkCookies(t: Pick<Test, 'ok' | 'same'>, cookies: readonly Cookie[]) {
  const own = cookies.filter(({ name }) => name.startsWith('portal_'))
  t.ok(
    own.some(({ name }) => name === 'portal_session'),
    'there is a session'
  )
  t.same(
    own.filter(({ sameSite, httpOnly }) => sameSite !== 'Strict' || !httpOnly),
    [],
    'all cookies are strict'
  )
  const flows = own.filter(({ name }) => name.startsWith('portal_flow'))
  t.same(flows, [], 'the attempt is over')
}
