import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { hashSecret } from '../../src/domain/sessions/sessions.ts'

/** The key of the portals whose sessions are added here. */
export const key = randomBytes(32)
const origin = 'http://localhost:3000'

/** The settings that these portals share. */
export const settings = (url: string) => ({
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: url,
  SECRET_KEYS: `k1:${key.toString('base64url')}`
})

/**
 * Adds `count` users with a session each that has just started, and returns the cookies of the
 * first `taken`. All have the same `passwordHash`.
 */
export async function addSessions(
  url: string,
  {
    count,
    taken = count,
    users = count,
    passwordHash = null
  }: { count: number; taken?: number; users?: number; passwordHash?: string | null }
): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const run = randomBytes(8).toString('hex')
  await sql`
    insert into users (id, email, email_normalized, name, password_hash)
    select id, email, email, 'Ada Lovelace', ${passwordHash} from (
      select gen_random_uuid() as id, ${run} || '-' || n || '@example.com' as email from generate_series(0, ${users - 1}::int) as n) as made`
  await sql`insert into user_roles select users.id, roles.id from users, roles where roles.key = 'user' and email_normalized like ${run + '%'}`
  await sql`create temp table people as select row_number() over () - 1 as n, id from users where email_normalized like ${run + '%'}`
  await sql`create unique index on people (n)`
  await sql`
    insert into sessions (id, token_hash, user_id, created_at, expires_at)
    select gen_random_uuid(), sha256(convert_to(secret, 'UTF8')), people.id, at, at + interval '7 days'
    from (select n, date_trunc('second', now()) as at, translate(rtrim(encode(sha256(convert_to(${run} || n, 'UTF8')), 'base64'), '='), '+/', '-_') as secret from generate_series(0, ${count - 1}::int) as n) as made
    join people on people.n = made.n % ${users}`
  const rows = await sql<
    { userId: string; createdAt: Date; expiresAt: Date; tokenHash: Uint8Array; secret: string }[]
  >`
    select sessions.user_id as "userId", sessions.created_at as "createdAt", sessions.expires_at as "expiresAt", token_hash as "tokenHash", secret
    from (select translate(rtrim(encode(sha256(convert_to(${run} || n, 'UTF8')), 'base64'), '='), '+/', '-_') as secret from generate_series(0, ${taken - 1}::int) as n) as made
    join sessions on sessions.token_hash = sha256(convert_to(secret, 'UTF8'))`
  await sql`analyze users, user_roles, sessions`
  await sql.end()
  const app = buildApp(loadConfig({ ...settings(url), LOG_LEVEL: 'silent' }))
  await app.ready()
  const cookies = rows.map(({ secret, ...session }) => {
    if (Buffer.compare(hashSecret(secret), session.tokenHash) !== 0) {
      throw new Error("the secret is not the session's")
    }
    return `__Host-portal_session=${app.sessionTokens.sign(session, secret)}`
  })
  await app.close()
  return cookies
}
