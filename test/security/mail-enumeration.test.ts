import { sql } from 'drizzle-orm'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { aUser, freshEmail, ownApp, password } from '../support/app.ts'
import { aConfirmedCaller, confirmed, visible } from '../support/mails.ts'

// A stranger must not see whether there is an account. `npm run check -- mail-timing` compares the
// times.

const post = (
  on: FastifyInstance,
  url: string,
  payload: object,
  headers: InjectOptions['headers'] = {}
) => on.inject({ method: 'POST', url, headers, payload })

t.test('neither registration nor recovery reads the accounts', async (t) => {
  const app = await ownApp(t, { EMAIL_VERIFICATION: 'required' })
  await app.db.execute(sql`alter table users rename to elsewhere`)
  const registered = await post(app, '/api/auth/register', {
    email: freshEmail(),
    password,
    name: 'Ada'
  })
  const recovered = await post(app, '/api/auth/recovery', { email: freshEmail() })
  t.same([registered.statusCode, recovered.statusCode], [202, 202])
  t.equal(await app.db.$count(outbox), 2, 'and each writes one mail')
  await app.db.execute(sql`alter table elsewhere rename to users`)
})

t.test('each request writes the same rows, whether there is an account or not', async (t) => {
  const app = await ownApp(t, { EMAIL_VERIFICATION: 'required' })
  const { email } = await confirmed(app.database, await aUser(app.database))
  // A worker may deliver a mail at any moment: this keeps the rows as they were written.
  await app.db.execute(sql`create table written as select outbox.* from outbox`)
  await app.db.execute(sql`create function keep() returns trigger language plpgsql as
    'begin insert into written select new.*; return new; end'`)
  await app.db.execute(
    sql`create trigger keep after insert on outbox for each row execute function keep()`
  )
  const written = async (url: string, payload: { email: string }) => {
    await app.db.execute(sql`delete from written`)
    await post(app, url, payload)
    return app.db
      .select({
        kind: sql<string>`kind`,
        userId: sql<string | null>`user_id`,
        state: sql<string>`state`,
        size: sql<number>`octet_length(payload)`,
        seconds: sql<number>`round(extract(epoch from expires_at - created_at))::int`
      })
      .from(sql`written`)
  }
  for (const url of ['/api/auth/register', '/api/auth/recovery']) {
    const body = url.endsWith('register') ? { password, name: 'Ada' } : {}
    const known = await written(url, { email, ...body })
    t.equal(known.length, 1)
    t.match(known[0], { userId: null, state: 'pending', size: Number })
    t.same(await written(url, { email: freshEmail(), ...body }), known, url)
  }
})

t.test('the limits are the same for existing and unknown addresses', async (t) => {
  const app = await ownApp(t, {
    EMAIL_VERIFICATION: 'required',
    THROTTLE_MAIL_ADDRESS: { burst: 2, seconds: 6000 },
    TRUST_PROXY: ['127.0.0.1']
  })
  let sources = 0
  const ask = async (url: string, payload: object) => {
    const from = { 'x-forwarded-for': `198.51.100.${++sources}` }
    const answer = visible(await post(app, url, payload, from))
    const { 'retry-after': seconds, ...headers } = answer.headers
    return { ...answer, headers, body: answer.body.replace(/\d+ seconds/, 'some seconds') }
  }
  const answers = async (email: string) => {
    const all = []
    for (let i = 0; i < 3; i++) {
      all.push(await ask('/api/auth/register', { email, password, name: 'Ada' }))
      all.push(await ask('/api/auth/recovery', { email }))
    }
    return all
  }
  const unknown = await answers(freshEmail())
  t.same(
    unknown.map(({ status }) => status),
    [202, 202, 202, 202, 429, 429]
  )
  const { email } = await confirmed(app.database, await aUser(app.database))
  t.same(await answers(email), unknown)
  const unverified = await aUser(app.database)
  t.same(await answers(unverified.email), unknown)
})

t.test('a change to a taken address is recorded and limited like one to a free one', async (t) => {
  const app = await ownApp(t, { THROTTLE_MAIL_ADDRESS: { burst: 1, seconds: 6000 } })
  const { email: taken } = await aUser(app.database)
  const found = []
  for (const email of [taken, freshEmail()]) {
    const { call } = await aConfirmedCaller(app)
    await app.db.delete(outbox)
    const change = () => call('PUT', '/api/user/email', { email, currentPassword: password })
    const statuses = [(await change()).statusCode, (await change()).statusCode]
    const rows = await app.db.select({ kind: outbox.kind }).from(outbox)
    const pending = (await call('GET', '/api/user/email')).json().pending === email
    found.push({ statuses, rows, pending })
  }
  const expected = { statuses: [202, 429], rows: [{ kind: 'email-change' }], pending: true }
  t.same(found, [expected, expected])
})
