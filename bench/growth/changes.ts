import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import type { Sql } from 'postgres'
import type { Database } from '../../db/client.ts'
import { updateOwnUser } from '../../src/domain/accounts/profile-changes.ts'
import { record } from '../../src/domain/activity/record.ts'
import type { SignedInActor } from '../../src/domain/actor.ts'
import { claim } from '../../src/domain/outbox/claim.ts'
import { completeDelivery } from '../../src/domain/outbox/complete-delivery.ts'
import { enqueue } from '../../src/domain/outbox/enqueue.ts'
import { revokeOwnSession, signOut } from '../../src/domain/sessions/revocation.ts'
import { hashSecret } from '../../src/domain/sessions/sessions.ts'
import { signIn } from '../../src/domain/sign-in/password-sign-in.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { password, servicesOf } from '../../test/support/app.ts'
import type { Measure } from './meter.ts'
import { request, taker, times } from './portal.ts'

/** Measures what users do, on as many accounts. */
export async function measureChanges(
  measure: Measure,
  database: Database,
  sql: Sql,
  repetitions: number
) {
  const { db } = database
  const context = servicesOf(database) // hashing is fast in them: it is measured apart
  const take = taker(await people(sql, 3 * repetitions))
  const signed: SignedInActor[] = []
  const throttles = () => countOf(sql, 'throttle')

  const before = await throttles()
  await measure('login', {
    items: take(2 * repetitions),
    writes: true,
    work: async ({ id, email }) => {
      const from = request()
      const made = await signIn(context, from, { email, password, presented: [] })
      if (!made.session) throw new Error('no session was started')
      signed.push({
        ...from,
        type: 'user',
        id,
        label: email,
        sessionId: made.session.id,
        tokenHash: Buffer.from(hashSecret(made.secret)).toString('hex')
      })
    }
  })
  const throttlesPerLogin = ((await throttles()) - before) / signed.length
  const takeSigned = taker(signed)
  await measure('failedLogin', {
    items: take(repetitions),
    writes: true,
    work: ({ email }) =>
      signIn(context, request(), { email, password: 'not this one', presented: [] }).then(
        () => {
          throw new Error('a wrong password was accepted')
        },
        () => {}
      )
  })
  const staying = takeSigned(repetitions)
  await measure('setting', {
    items: staying,
    writes: true,
    work: (actor) => updateOwnUser(db, actor, { theme: 'dark' })
  })
  await measure('revocation', {
    items: staying,
    writes: true,
    work: (actor) => revokeOwnSession(db, actor, { id: actor.sessionId })
  })
  await measure('logout', {
    items: takeSigned(repetitions),
    writes: true,
    work: (actor) =>
      signOut(db, actor, { tokens: [{ userId: actor.id, tokenHash: actor.tokenHash }] })
  })
  await measure('registration', {
    items: times(repetitions),
    writes: true,
    work: (n) =>
      registerUser(context, request(), {
        email: `${randomUUID()}@example.com`,
        password,
        name: `Ada Lovelace ${n}`
      })
  })
  await measure('record', {
    items: staying,
    writes: true,
    work: (actor) =>
      record(db, actor, 'user.update', {
        target: { type: 'user', id: actor.id },
        details: { fields: ['theme'] }
      })
  })

  await sql`delete from outbox where state = 'pending'`
  const { sealing } = context
  await measure('outboxLook', { items: times(repetitions), work: () => claim(db, 10) })
  await measure('mail', {
    items: staying,
    writes: true,
    work: async (actor) => {
      const content = { kind: 'recovery', token: 'x'.repeat(43), expiresAt: '2030-01-01' } as const
      const payload = { to: actor.label ?? '', reader: {}, content }
      const mail = { kind: 'recovery', userId: actor.id, payload, expiresIn: 3600 } as const
      await enqueue(db, sealing, mail)
      const [row] = await claim(db, 1)
      if (!row) throw new Error('the mail was not found')
      await completeDelivery(db, row, { outcome: 'sent' })
    }
  })
  return { throttlesPerLogin }
}

/** Accounts from all over the table, which get a password. */
async function people(sql: Sql, count: number) {
  const rows = await sql<{ id: string; email: string }[]>`
    select id, email from users where status = 'active' order by md5(id::text) limit ${count}`
  const passwordHash = await hash(password, 4)
  const ids = rows.map(({ id }) => id)
  await sql`update users set password_hash = ${passwordHash} where id = any(${ids}::uuid[])`
  await sql`vacuum analyze users`
  return rows
}

async function countOf(sql: Sql, table: string) {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from ${sql(table)}`
  return row?.count ?? NaN
}
