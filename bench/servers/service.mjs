// A service behind nginx: routes that answer with the user whom the proxy names, at once or after
// reading a row.
import Fastify from 'fastify'
import postgres from 'postgres'

const { port, database } = JSON.parse(process.env.BENCH)
const sql = postgres(database, { max: 10 })
const schema = { response: { 200: { type: 'object', properties: { user: { type: 'string' } } } } }

const app = Fastify()
for (const prefix of ['/api/invoices', '/unchecked']) {
  app.get(`${prefix}/nothing`, { schema }, async ({ headers }) => ({
    user: headers['portal-user']
  }))
  app.get(`${prefix}/row`, { schema }, async ({ headers }) => {
    const [row] = await sql`select name from users where email_normalized = 'ada@example.com'`
    return { user: headers['portal-user'], row }
  })
}
await app.listen({ host: '127.0.0.1', port })
