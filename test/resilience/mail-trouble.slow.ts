import { randomBytes, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import postgres from 'postgres'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { freePort } from '../support/postgres.ts'
import { freshEmail, testDatabaseUrl, until } from '../support/app.ts'
import { startMailServer } from '../mail/server.ts'
import { deliverAtOnce } from '../support/mails.ts'
import { mailingPortal } from './mailing.ts'

// How the transport judges each failure is in test/mail/trouble.test.ts. Here is what the portal
// makes of it: answers, rows, records, the log, and what an operator sees.

t.test('requests are answered while the mail server hangs, and nothing is lost', async (t) => {
  const server = await startMailServer(t)
  server.play = (stage) => (stage === 'mail' ? 'hang' : undefined)
  const portal = await mailingPortal(t, server.url)
  const email = await portal.recoverSomebody()
  await until(() => server.connections > 0)
  t.equal(await portal.register(), 202)
  t.equal(await portal.recover(email), 202)
  t.equal(await portal.recover(freshEmail()), 202)
  t.match(
    (await portal.rows()).map(({ state }) => state),
    ['pending', 'pending', 'pending', /pending|dropped/]
  )
  t.equal(server.mails.length, 0, 'it still hangs')

  server.play = () => undefined
  server.hangUp()
  await until(async () => {
    for (const { id, lease, state } of await portal.rows()) {
      if (state === 'pending' && lease === null) await portal.makeDue(id)
    }
    return server.mails.length === 3
  })
  await until(async () => (await portal.rows()).every(({ state }) => state !== 'pending'))
  t.same(
    (await portal.rows()).map(({ state }) => state),
    ['sent', 'sent', 'sent', 'dropped']
  )
})

t.test('refused mail appears in the log, the list and the records', async (t) => {
  const server = await startMailServer(t)
  const address = (name: string) => `${name}-${randomUUID()}@example.com`
  const codes: Record<string, number> = { later: 451, never: 554 }
  let refusing = true
  server.play = (stage, { envelope }) => {
    const [to = ''] = envelope.rcptTo.map((each) => each.address.split('-')[0])
    return refusing && stage === 'data' ? codes[to] : undefined
  }
  const portal = await mailingPortal(t, server.url)
  for (const name of ['later', 'never', 'fine']) await portal.recoverSomebody(address(name))
  const [later, never, fine] = await portal.tried()
  const expected = [
    { id: later?.id, state: 'pending', attempts: 1, lastError: 'smtp 451' },
    { id: never?.id, state: 'dead', attempts: 1, lastError: 'smtp 554' },
    { id: fine?.id, state: 'sent', attempts: 1, lastError: null }
  ]
  t.match(await portal.rows(), expected)
  t.match(await portal.portalMail('list --sort createdAt'), expected)
  t.match(await portal.portalMail('list --state dead'), [{ id: never?.id, lastError: 'smtp 554' }])
  const ofMail = (id: string | undefined) => portal.logged().filter((line) => line.id === id)
  t.match(ofMail(later?.id), [{ level: 40, error: 'smtp 451', msg: /will be tried again/ }])
  t.match(ofMail(never?.id), [{ level: 50, error: 'smtp 554', msg: /not tried again/ }])
  t.match(ofMail(fine?.id), [{ level: 30, msg: 'mail delivered' }])
  t.match(portal.app.outbox?.totals, { sent: 1, retried: 1, dead: 1, dropped: 0 })
  const records = (action: 'mail.dead' | 'mail.drop') =>
    portal.db.select().from(activity).where(eq(activity.action, action))
  t.match(await records('mail.dead'), [
    { outcome: 'failure', details: { kind: 'recovery', error: 'smtp 554' } }
  ])
  t.notMatch(portal.output(), '@example.com', 'no address in the log')

  // Nobody wants the one any more, and the operator repairs the other.
  await portal.db
    .update(outbox)
    .set({ nextAt: sql`now()`, expiresAt: sql`now() - interval '1 second'` })
    .where(eq(outbox.id, later?.id ?? ''))
  refusing = false
  t.match(await portal.portalMail('retry --dead'), { retried: 1 })
  await until(async () => (await portal.rows()).every(({ state }) => state !== 'pending'))
  t.match(await portal.rows(), [
    { state: 'dropped', payload: null },
    { state: 'sent', payload: null },
    { state: 'sent' }
  ])
  t.match(await records('mail.drop'), [
    { outcome: 'failure', details: { kind: 'recovery', error: 'smtp 451' } }
  ])
  t.same(
    server.mails.map(({ mail }) => mail.messageId),
    [fine, never].map((row) => `<${row?.id}@localhost>`)
  )
})

t.test('mail waits for a server that is not there', async (t) => {
  const port = await freePort()
  const portal = await mailingPortal(t, `smtp://portal:secret@127.0.0.1:${port}`)
  await portal.recoverSomebody()
  const [row] = await portal.tried()
  t.match(row, { state: 'pending', lastError: 'connect' })
  t.match(portal.logged().at(-1), { id: row?.id, error: 'connect' })
  const server = await startMailServer(t, { port })
  deliverAtOnce(t, portal.app) // the portal itself tries again after a pause
  t.match(await portal.portalMail(`retry ${row?.id}`), { retried: 1 })
  await until(async () => (await portal.rows())[0]?.state === 'sent')
  t.equal(server.mails.length, 1)
})

t.test('beyond loopback, mail waits for a server with valid encryption', async (t) => {
  const kinds = ['none', 'STARTTLS', 'from the start'] as const
  await Promise.all(
    kinds.map(async (tls) => {
      const server = await startMailServer(t, { tls })
      // Names the server by an address that is not one of loopback.
      const portal = await mailingPortal(t, server.url.replace('127.0.0.1', '0.0.0.0'))
      await portal.recoverSomebody()
      t.match(await portal.tried(), [{ state: 'pending', lastError: 'tls' }], tls)
      t.match(await portal.portalMail('list'), [{ state: 'pending', lastError: 'tls' }])
      t.equal(server.mails.length, 0)
    })
  )
})

t.test('a mail that an instance cannot open is left to one that can', async (t) => {
  const server = await startMailServer(t)
  const url = await testDatabaseUrl(t)
  const [old, other] = ['k1', 'k2'].map((kid) => [{ kid, secret: randomBytes(32) }])
  const first = await mailingPortal(t, 'smtp://127.0.0.1:1', { SECRET_KEYS: old ?? [] }, url)
  await first.recoverSomebody()
  const [row] = await first.tried()
  await first.app.close()

  const stranger = await mailingPortal(t, server.url, { SECRET_KEYS: other ?? [] }, url)
  await stranger.makeDue(row?.id ?? '')
  await until(async () => (await stranger.rows())[0]?.lastError === 'sealed')
  t.match(await stranger.rows(), [{ state: 'pending' }])
  await until(() => stranger.logged().some(({ id, error }) => id === row?.id && error === 'sealed'))
  await stranger.app.close()

  const again = await mailingPortal(t, server.url, { SECRET_KEYS: old ?? [] }, url)
  await again.makeDue(row?.id ?? '')
  await until(() => server.mails.length > 0)
  t.equal(server.mails[0]?.mail.messageId, `<${row?.id}@localhost>`)
})

/** Counts how often the worker asks whether it may claim mail. */
function looksOf({ readiness }: FastifyInstance) {
  const { reason } = readiness
  let looks = 0
  readiness.reason = () => {
    looks++
    return reason()
  }
  return () => looks
}

t.test('no mail is claimed while the schema is older than the build', async (t) => {
  const server = await startMailServer(t)
  const url = await testDatabaseUrl(t)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  await sql`create table newest as
    select * from drizzle.__drizzle_migrations order by created_at desc limit 1`
  await sql`delete from drizzle.__drizzle_migrations where id in (select id from newest)`
  const portal = await mailingPortal(t, server.url, {}, url)
  await portal.recoverSomebody()
  const looks = looksOf(portal.app)
  await until(() => looks() > 2)
  t.equal(portal.app.readiness.reason(), 'migrations')
  t.match(await portal.rows(), [{ state: 'pending', attempts: 0 }])
  await sql`insert into drizzle.__drizzle_migrations select * from newest`
  await until(() => server.mails.length > 0)
})

t.test('an instance that started without its database sends mail when it is there', async (t) => {
  const server = await startMailServer(t)
  const url = await testDatabaseUrl(t)
  const name = new URL(url).pathname.slice(1)
  const sql = postgres(url.replace(name, 'postgres'), { max: 1 })
  t.teardown(() => sql.end())
  await sql`alter database ${sql(name)} rename to ${sql(`${name}_away`)}`
  const portal = await mailingPortal(t, server.url, {}, url)
  const looks = looksOf(portal.app)
  await until(() => looks() > 2)
  t.equal(portal.app.readiness.reason(), 'database')
  t.notMatch(portal.output(), 'outbox not read')
  await sql`alter database ${sql(`${name}_away`)} rename to ${sql(name)}`
  await until(() => portal.app.readiness.reason() === undefined)
  await portal.recoverSomebody()
  await until(() => server.mails.length > 0)
})
