// A Fastify route that sends the portal's response without doing its work: the upper limit for a
// portal on Fastify.
import Fastify from 'fastify'
import { schemaOf } from './schema.mjs'

const { port, body, headers } = JSON.parse(process.env.BENCH)
const app = Fastify()
if (Object.keys(headers).length > 0) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
app.get('/api/auth/me', { schema: schemaOf(body) }, async () => body)
await app.listen({ host: '127.0.0.1', port })
