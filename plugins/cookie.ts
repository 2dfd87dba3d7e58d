import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { createCookies } from '../src/http/cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Every value of the session cookie in the request, in order. More than one is an attack. */
    sessionCookies(): string[]
    /** The device cookie of an earlier login, if there is exactly one. */
    deviceCookie(): string | undefined
    /** The cookie of a sign-in that waits for its second factor, if there is exactly one. */
    loginCookie(): string | undefined
  }
  interface FastifyReply {
    setSessionCookie(token: string): void
    clearSessionCookie(): void
    setDeviceCookie(value: string): void
    clearDeviceCookie(): void
    setLoginCookie(secret: string): void
    clearLoginCookie(): void
  }
}

/** Half of this file declares the types of what it adds to requests and replies. */
export default fp(
  async (app) => {
    // Values are read from the header, because the library keeps only one of two equal names.
    await app.register(cookie, { hook: false })
    const { session, device, login } = createCookies({
      serialize: app.serializeCookie,
      development: app.config.development,
      sessionSeconds: app.config.SESSION_ABSOLUTE_SECONDS
    })
    app.decorateRequest('sessionCookies', function (this: FastifyRequest) {
      return session.read(this.headers.cookie)
    })
    app.decorateRequest('deviceCookie', function (this: FastifyRequest) {
      const [value, ...others] = device.read(this.headers.cookie)
      return others.length === 0 ? value : undefined
    })
    app.decorateRequest('loginCookie', function (this: FastifyRequest) {
      const [value, ...others] = login.read(this.headers.cookie)
      return others.length === 0 ? value : undefined
    })
    app.decorateReply('setSessionCookie', function (token) {
      this.header('set-cookie', session.set(token))
    })
    app.decorateReply('clearSessionCookie', function () {
      this.header('set-cookie', session.clear())
    })
    app.decorateReply('setDeviceCookie', function (value) {
      this.header('set-cookie', device.set(value))
    })
    app.decorateReply('clearDeviceCookie', function () {
      this.header('set-cookie', device.clear())
    })
    app.decorateReply('setLoginCookie', function (secret) {
      this.header('set-cookie', login.set(secret))
    })
    app.decorateReply('clearLoginCookie', function () {
      this.header('set-cookie', login.clear())
    })
  },
  { name: 'cookie', dependencies: ['config'] }
)
