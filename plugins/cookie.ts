import cookie from '@fastify/cookie'
import fp from 'fastify-plugin'
import { createCookies } from '../src/http/cookies.ts'
import type { Presented } from '../src/domain/guard/guard.ts'
import type { CookieName } from '../src/http/cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Every value of the session cookie in the request, in order. More than one is an attack. */
    sessionCookies(): string[]
    /** The value of a cookie of the portal, if there is exactly one. */
    portalCookie(name: CookieName): string | undefined
    /** The parts that may spare a call that causes mail a challenge. */
    presentedProof(): Presented
    /** The ends of the names of the flow cookies in the request. */
    flowNames(): string[]
  }
  interface FastifyReply {
    setPortalCookie(name: CookieName, value: string): void
    clearPortalCookie(name: CookieName): void
  }
}

export default fp(
  async (app) => {
    // Values are read from the header, because the library keeps only one of two equal names.
    await app.register(cookie, { hook: false })
    const cookies = createCookies({
      serialize: app.serializeCookie,
      development: app.config.development,
      sessionSeconds: app.config.SESSION_ABSOLUTE_SECONDS
    })
    app.decorateRequest('sessionCookies', function () {
      return cookies.session.read(this.headers.cookie)
    })
    app.decorateRequest('portalCookie', function (name) {
      const [value, ...others] = cookies.of(name).read(this.headers.cookie)
      return others.length === 0 ? value : undefined
    })
    app.decorateRequest('presentedProof', function () {
      const proof = this.headers['portal-proof']
      return { proof: proof?.toString(), device: this.portalCookie('device') }
    })
    app.decorateRequest('flowNames', function () {
      return cookies.flowNames(this.headers.cookie)
    })
    app.decorateReply('setPortalCookie', function (name, value) {
      this.header('set-cookie', cookies.of(name).set(value))
    })
    app.decorateReply('clearPortalCookie', function (name) {
      this.header('set-cookie', cookies.of(name).clear())
    })
  },
  { name: 'cookie', dependencies: ['config'] }
)
