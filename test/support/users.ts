import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/engine.ts'
import { idAt } from '../../src/domain/crypto.ts'
import { hashSecret } from '../../src/domain/sessions/sessions.ts'
import { normalizeEmail } from '../../src/domain/users/emails.ts'

interface NewUser {
  email: string
  passwordHash: string
  /** Keys of roles besides `user`. */
  roles?: string[]
  /** Whether the address is confirmed. */
  confirmed?: boolean
  /** A session that began with the password. */
  session?: { secret: string; seconds: number }
}

/**
 * Writes what a registration, grants by an operator and a sign-in leave, in one statement instead
 * of some fifty. Tests about those use the domain or HTTP.
 */
export async function insertUser(
  db: Db,
  { email, passwordHash, roles = [], confirmed = false, session }: NewUser
) {
  const at = new Date()
  const [id, name, sessionId] = [idAt(at), 'Ada Lovelace', uuid()]
  const normalized = normalizeEmail(email)
  const byUser = { id, label: email, type: 'user', source: 'api' }
  const client = session && { ip: '127.0.0.1', agent: 'lightMyRequest' }
  const target = { target: id, of: 'user', details: {} }
  const records = [
    { ...byUser, action: 'auth.register', ...target },
    ...roles.map((role) => ({
      ...{ action: 'user.role-grant', type: 'cli', source: 'cli' },
      ...{ ...target, details: { role } }
    })),
    ...(session
      ? [{ ...byUser, ...client, action: 'auth.login', session: sessionId }].map((each) => ({
          ...each,
          target: sessionId,
          of: 'session',
          details: { amr: ['pwd'] }
        }))
      : [])
  ].map((each) => ({ ...each, record: uuid() }))
  const sessions = session
    ? [
        {
          ...client,
          hash: Buffer.from(hashSecret(session.secret)).toString('hex'),
          seconds: session.seconds
        }
      ]
    : []
  await db.execute(sql`
      with made as (
        insert into users (id, email, email_normalized, name, password_hash, created_at, updated_at,
          version, email_verified_at, last_login_at)
        values (${id}::uuid, ${email}, ${normalized}, ${name}, ${passwordHash},
          ${at.toISOString()}::timestamptz, now(), ${roles.length + 1}::int,
          case when ${confirmed}::bool then now() end, case when ${!!session}::bool then now() end)
      ), granted as (
        insert into user_roles (user_id, role_id)
        select ${id}::uuid, (select roles.id from roles where roles.key = given.key)
        from json_array_elements_text(${JSON.stringify(['user', ...roles])}::text::json) given(key)
      ), started as (
        insert into sessions (id, token_hash, user_id, expires_at, ip, user_agent)
        select ${sessionId}::uuid, decode(hash, 'hex'), ${id}::uuid,
          now() + make_interval(secs => seconds), ip, agent
        from json_to_recordset(${JSON.stringify(sessions)}::text::json)
          given(hash text, seconds int, ip inet, agent text)
      )
      insert into activity (id, action, outcome, actor_type, actor_id, actor_label, target_type,
        target_id, ip, user_agent, session_id, source, details)
      select record, action, 'success', type, id, label, "of", target, ip, agent, session, source,
        details
      from json_to_recordset(${JSON.stringify(records)}::text::json) given(record uuid, action text,
        type text, id uuid, label text, "of" text, target text, ip inet, agent text, session uuid,
        source text, details jsonb)`)
  const createdAt = at
  const keys = ['user', ...roles].toSorted()
  return {
    ...{ id, email, name, emailVerified: confirmed, roles: keys, createdAt },
    ...({ theme: 'system', status: 'active' } as const)
  }
}
