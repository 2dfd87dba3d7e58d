// A Fastify route that sends the portal's response without doing its work: the upper limit for a
// portal on Fastify.
import Fastify from 'fastify'

const { port, body, headers } = JSON.parse(process.env.BENCH)
const text = { type: 'string' }
const texts = { type: 'array', items: text }
const object = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, name === 'roles' || name === 'permissions' ? texts : text])
  )
})
const schema = {
  response: {
    200: {
      type: 'object',
      properties: {
        user: object(
          'id',
          'email',
          'name',
          'theme',
          'status',
          'roles',
          'permissions',
          'createdAt',
          'updatedAt'
        ),
        session: object('id', 'createdAt', 'expiresAt', 'idleExpiresAt')
      }
    }
  }
}

const app = Fastify()
if (Object.keys(headers).length > 0) {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
app.get('/api/auth/me', { schema }, async () => body)
await app.listen({ host: '127.0.0.1', port })
