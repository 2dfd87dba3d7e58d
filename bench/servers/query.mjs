// A session check as it is usually written: it verifies the token and runs one prepared query each
// time. Uses the same database, cookie and headers as the portal.
import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import postgres from 'postgres'

const { port, database, secret, headers, cookieName } = JSON.parse(process.env.BENCH)
const sql = postgres(database, { max: 10 })
const app = Fastify()
await app.register(cookie)
await app.register(jwt, {
  secret: Buffer.from(secret, 'hex'),
  cookie: { cookieName, signed: false }
})
app.addHook('onRequest', (_request, reply, done) => {
  reply.headers(headers)
  done()
})
app.get('/api/auth/me', async (request, reply) => {
  const { sub, jti } = await request.jwtVerify({ onlyCookie: true })
  const [row] = await sql`
    select users.id, users.email, users.name, users.theme, users.status, users.created_at, users.updated_at,
      array(select r.key from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = users.id order by 1) as roles,
      array(select distinct rp.permission_key from user_roles ur join role_permissions rp on rp.role_id = ur.role_id where ur.user_id = users.id order by 1) as permissions,
      sessions.id as session_id, sessions.created_at as session_created_at, sessions.expires_at
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${createHash('sha256').update(jti).digest()} and sessions.user_id = ${sub} and sessions.revoked_at is null
      and sessions.expires_at > now() and sessions.last_seen_at > now() - interval '24 hours' and users.status = 'active'`
  if (!row) return reply.code(401).send({ error: 'unauthenticated' })
  return {
    user: {
      id: row.id,
      email: row.email,
      name: row.name,
      theme: row.theme,
      status: row.status,
      roles: row.roles,
      permissions: row.permissions,
      createdAt: row.created_at,
      updatedAt: row.updated_at
    },
    session: {
      id: row.session_id,
      createdAt: row.session_created_at,
      expiresAt: row.expires_at,
      idleExpiresAt: new Date(Date.now() + 86_400_000)
    }
  }
})
await app.listen({ host: '127.0.0.1', port })
