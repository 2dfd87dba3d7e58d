// A Fastify route that sends the portal's response without doing its work: the upper limit for a
// portal on Fastify.
import Fastify from 'fastify'

const { port, body, headers } = JSON.parse(process.env.BENCH)
/** The schema of a value of the response, with all its properties, so that all bytes are sent. */
function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } }
  if (value === null || typeof value !== 'object') {
    return { type: value === null ? 'null' : typeof value }
  }
  const properties = Object.entries(value).map(([name, each]) => [name, schemaOf(each)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
const schema = { response: { 200: schemaOf(body) } }

const app = Fastify()
if (Object.keys(headers).length > 0) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
app.get('/api/auth/me', { schema }, async () => body)
await app.listen({ host: '127.0.0.1', port })
