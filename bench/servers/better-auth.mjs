// better-auth on PostgreSQL as in its documentation, without its rate limit, which would reject the
// load. The settings can add what its documents offer for performance: joins, or a cookie cache.
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import pg from 'pg'

const { port, database, person, settings } = JSON.parse(process.env.BENCH)
const options = {
  database: new pg.Pool({ connectionString: database }),
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'of this benchmark alone: 0123456789abcdef0123456789abcdef',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  ...settings
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)
await auth.api.signUpEmail({ body: person })
createServer(toNodeHandler(auth)).listen(port, '127.0.0.1')
