import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** Every value sent under the session cookie's name, in order. More than one is somebody's trick. */
    sessionCookies(): string[]
    /** What a login before this one left, when there is exactly one. */
    deviceCookie(): string | undefined
  }
  interface FastifyReply {
    setSessionCookie(token: string): void
    clearSessionCookie(): void
    setDeviceCookie(value: string): void
    clearDeviceCookie(): void
  }
}

/** Browsers cap a cookie at 4096 bytes (RFC 6265bis); the portal's needs a third of that. */
const maxLength = 1500
const year = 365 * 86_400

/** The cookies of the session and of the known device: names and attributes by mode, and nothing else of them configurable. */
export default fp(
  async (app) => {
    await app.register(cookie, { hook: false }) // values are read from the header itself: the library keeps one of two with the same name
    const { development, SESSION_ABSOLUTE_SECONDS: maxAge } = app.config
    const prefix = development ? 'portal_' : '__Host-portal_'
    const name = `${prefix}session`
    const deviceName = `${prefix}device`
    const attributes = development
      ? ({ path: '/', httpOnly: true, sameSite: 'lax' } as const)
      : ({ path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const)

    const cleared = { ...attributes, maxAge: 0, expires: new Date(0) }

    app.decorateRequest('sessionCookies', function (this: FastifyRequest) {
      return valuesOf(this.headers.cookie, name)
    })
    app.decorateRequest('deviceCookie', function (this: FastifyRequest) {
      const [value, ...others] = valuesOf(this.headers.cookie, deviceName)
      return others.length === 0 ? value : undefined
    })
    app.decorateReply('setSessionCookie', function (token) {
      if (name.length + token.length > maxLength) {
        throw new Error('the session cookie outgrew its limit')
      }
      this.header('set-cookie', app.serializeCookie(name, token, { ...attributes, maxAge }))
    })
    app.decorateReply('clearSessionCookie', function () {
      this.header('set-cookie', app.serializeCookie(name, '', cleared))
    })
    app.decorateReply('setDeviceCookie', function (value) {
      this.header(
        'set-cookie',
        app.serializeCookie(deviceName, value, { ...attributes, maxAge: year })
      )
    })
    app.decorateReply('clearDeviceCookie', function () {
      this.header('set-cookie', app.serializeCookie(deviceName, '', cleared))
    })
  },
  { name: 'cookie', dependencies: ['config'] }
)

/** Walks the header once and cuts out only what has this name: the session's is looked for in every request. */
function valuesOf(header = '', name: string): string[] {
  const values: string[] = []
  for (let start = 0; start < header.length;) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    while (isBlank(header.charCodeAt(start))) start++
    if (header.startsWith(name, start)) {
      let after = start + name.length
      while (after < end && isBlank(header.charCodeAt(after))) after++
      if (after === end) values.push('')
      else if (header[after] === '=') values.push(header.slice(after + 1, end).trim())
    }
    start = end + 1
  }
  return values
}

const isBlank = (code: number) => code === 32 || code === 9
