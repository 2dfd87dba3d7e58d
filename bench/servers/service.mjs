// A service behind nginx: a Fastify route that answers with the user whom the proxy names.
import Fastify from 'fastify'

const { port } = JSON.parse(process.env.BENCH)
const schema = { response: { 200: { type: 'object', properties: { user: { type: 'string' } } } } }

const app = Fastify()
for (const url of ['/api/invoices', '/unchecked']) {
  app.get(url, { schema }, async ({ headers }) => ({ user: headers['portal-user'] }))
}
await app.listen({ host: '127.0.0.1', port })
