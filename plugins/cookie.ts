import cookie from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** Every value sent under the session cookie's name, in order. More than one is somebody's trick. */
    sessionCookies (): string[]
  }
  interface FastifyReply {
    setSessionCookie (token: string): void
    clearSessionCookie (): void
  }
}

/** Browsers cap a cookie at 4096 bytes (RFC 6265bis); the portal's needs a third of that. */
const maxLength = 1500

/** The cookie that carries the session: name and attributes by mode, and nothing else of it configurable. */
export default fp(async (app) => {
  await app.register(cookie, { hook: false }) // values are read from the header itself: the library keeps one of two with the same name
  const { development, SESSION_ABSOLUTE_SECONDS: maxAge } = app.config
  const name = development ? 'portal_session' : '__Host-portal_session'
  const attributes = development
    ? { path: '/', httpOnly: true, sameSite: 'lax' } as const
    : { path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const

  app.decorateRequest('sessionCookies', function (this: FastifyRequest) {
    return (this.headers.cookie ?? '').split(';').flatMap((pair) => {
      const [key = '', ...value] = pair.split('=')
      return key.trim() === name ? [value.join('=').trim()] : []
    })
  })
  app.decorateReply('setSessionCookie', function (token) {
    if (name.length + token.length > maxLength) throw new Error('the session cookie outgrew its limit')
    this.header('set-cookie', app.serializeCookie(name, token, { ...attributes, maxAge }))
  })
  app.decorateReply('clearSessionCookie', function () {
    this.header('set-cookie', app.serializeCookie(name, '', { ...attributes, maxAge: 0, expires: new Date(0) }))
  })
}, { name: 'cookie', dependencies: ['config'] })
