// A stateless token, as it is usually checked: `@fastify/jwt` verifies the signature and the expiry of
// the portal's cookie, and the route sends the portal's response. Nobody can revoke such a token.
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { schemaOf } from './schema.mjs'

const { port, body, headers, secret, cookieName, cache } = JSON.parse(process.env.BENCH)
const app = Fastify()
await app.register(cookie)
await app.register(jwt, {
  secret: Buffer.from(secret, 'hex'),
  cookie: { cookieName, signed: false },
  verify: { algorithms: ['HS256'], cache }
})
app.addHook('onRequest', (_request, reply, done) => {
  reply.headers(headers)
  done()
})
app.get('/api/auth/me', { schema: schemaOf(body) }, async (request) => {
  await request.jwtVerify({ onlyCookie: true })
  return body
})
await app.listen({ host: '127.0.0.1', port })
