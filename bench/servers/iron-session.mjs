// iron-session as in its documentation for Node: the whole session is in the cookie, sealed. Nobody
// can revoke it.
import Fastify from 'fastify'
import { schemaOf } from './schema.mjs'

const { port, body, headers, package: name } = JSON.parse(process.env.BENCH)
const { getIronSession } = await import(name)
const options = {
  password: 'of this benchmark alone: 0123456789abcdef0123456789abcdef',
  cookieName: 'session'
}
const app = Fastify()
app.addHook('onRequest', (_request, reply, done) => {
  reply.headers(headers)
  done()
})
app.post('/login', async (request, reply) => {
  const sealed = await getIronSession(request.raw, reply.raw, options)
  Object.assign(sealed, body)
  await sealed.save()
  return {}
})
app.get('/api/auth/me', { schema: schemaOf(body) }, async (request, reply) => {
  const { user, session } = await getIronSession(request.raw, reply.raw, options)
  return user ? { user, session } : reply.code(401).send()
})
await app.listen({ host: '127.0.0.1', port })
