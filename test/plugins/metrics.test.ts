import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import { confirmationMails, outbox } from '../../db/schema/outbox.ts'
import { enqueueMail } from '../../src/domain/outbox/enqueue.ts'
import { aCaller, ownApp, password, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'

t.test(
  'metrics cover requests, logins, hashes, the shared read and the pool, by route pattern and without personal data',
  async (t) => {
    const port = await freePort()
    const app = await ownApp(t, { METRICS_PORT: port })
    const { call, user } = await aCaller(app, 'admin')
    await call('GET', '/api/auth/me')
    await call('GET', `/api/admin/users/${user.id}`)
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password: 'not this one' }
    })
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password }
    })
    await app.inject('/no/such/route')

    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
    let text = await response.text()
    const value = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1)
      )
    // The worker of the outbox may be looking for mail.
    await until(async () => {
      text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return value('portal_database_in_flight') === 0
    })
    t.equal(
      value(
        'portal_http_request_duration_seconds_count{method="GET",route="/api/auth/me",status="200"}'
      ),
      1
    )
    t.equal(
      value(
        'portal_http_request_duration_seconds_count{method="GET",route="/api/admin/users/:id",status="200"}'
      ),
      1
    )
    t.equal(
      value('portal_http_request_duration_seconds_count{method="GET",route="none",status="404"}'),
      1
    )
    t.equal(value('portal_logins_total{outcome="refused"}'), 1)
    t.equal(value('portal_logins_total{outcome="success"}'), 1)
    t.equal(value('portal_ready'), 1)
    t.equal(value('portal_hashes_running'), 0)
    t.equal(value('portal_hashes_waiting'), 0)
    t.equal(value('portal_database_connections_max'), 5)
    t.ok(value('portal_freshness_reads_total') >= 2)
    t.equal(value('portal_freshness_reads_failed_total'), 0)
    t.ok(value('portal_freshness_read_seconds_total') > 0)
    t.equal(value('portal_principals_loaded_total'), 1, 'read once, and held')
    t.ok(value('process_resident_memory_bytes') > 0)
    t.notOk(text.includes(user.id) || text.includes('example.com'))

    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    t.ok(types.length > 40)
    t.same(
      types.filter(([, name = '', type]) => name.endsWith('_total') !== (type === 'counter')),
      [],
      'counters, and nothing else, end with _total'
    )

    t.equal((await fetch(`http://127.0.0.1:${port}/other`)).status, 404)
    t.equal((await app.inject('/metrics')).statusCode, 404, 'not on the public port')
  }
)

t.test('a browser that opens the metrics port reads where the metrics are', async (t) => {
  const METRICS_PORT = await freePort()
  await ownApp(t, { METRICS_PORT })
  const response = await fetch(`http://127.0.0.1:${METRICS_PORT}/`)
  t.equal(response.status, 200)
  t.equal(await response.text(), 'See /metrics\n')
})

t.test('the metrics port ignores a query, and rejects methods that do not read', async (t) => {
  const METRICS_PORT = await freePort()
  await ownApp(t, { METRICS_PORT })
  const ask = (target: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${METRICS_PORT}${target}`, { method })
  const scraped = await ask('/metrics?job=portal')
  t.equal(scraped.status, 200)
  t.match(await scraped.text(), /^portal_ready 1$/m)
  t.equal((await ask('/?x=1')).status, 200)
  t.equal((await ask('/metrics', 'HEAD')).status, 200)
  for (const target of ['/', '/metrics', '/metrics?x=1']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await ask(target, method)
      t.same([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], method + target)
    }
  }
  t.equal((await ask('/other?x=/metrics', 'POST')).status, 404)
})

t.test('a metrics port in use stops the start with a message', async (t) => {
  const port = await freePort()
  await ownApp(t, { METRICS_PORT: port })
  await t.rejects(ownApp(t, { METRICS_PORT: port }), /METRICS_PORT cannot be used \(EADDRINUSE\)/)
})

t.test('an address of another machine stops the start with a message', async (t) => {
  const changes = { METRICS_PORT: await freePort(), HOST: '192.0.2.1' }
  await t.rejects(ownApp(t, changes), /HOST is not an address of this machine/)
})

/** The values that Prometheus would read, by the name of the metric with its labels. */
async function collect(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z]/.test(line))
  return {
    status: response.status,
    values: new Map(
      lines.map((line) => {
        const [name = '', value] = line.split(/ (?=[^ ]+$)/)
        return [name, Number(value)]
      })
    )
  }
}
const backlog = ['portal_outbox_pending', 'portal_outbox_oldest_seconds'] as const
const deliveries = (outcome: string) => `portal_outbox_deliveries_total{outcome="${outcome}"}`

t.test('metrics cover mail: the backlog, its age, and deliveries by outcome', async (t) => {
  const METRICS_PORT = await freePort()
  const app = await ownApp(t, { METRICS_PORT })
  const [pending, oldest] = backlog
  const { values: first } = await collect(METRICS_PORT)
  t.same([first.get(pending), first.get(oldest)], [0, 0])
  for (const outcome of ['sent', 'caught', 'dropped', 'dead', 'retried']) {
    t.equal(first.get(deliveries(outcome)), 0, `${outcome} is there before the first`)
  }

  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  const write = (changes: Partial<Record<'nextAt' | 'createdAt', SQL>> = {}) =>
    app.db.transaction(async (tx) => {
      const { to, content } = {
        to: 'ada@example.com',
        content: { kind: 'already-registered' }
      } as const
      const id = await enqueueMail(tx, mail, { to, reader: {}, content }, {})
      await tx
        .update(outbox)
        .set({ nextAt: sql`now()`, ...changes })
        .where(eq(outbox.id, id))
    })
  await write({
    nextAt: sql`now() + interval '4 hours'`,
    createdAt: sql`now() - interval '1 hour'`
  })
  await write()
  await until(async () => (await collect(METRICS_PORT)).values.get(deliveries('caught')) === 1)
  const { values } = await collect(METRICS_PORT)
  t.equal(values.get(pending), 1, 'the other one waits')
  const age = values.get(oldest) ?? 0
  t.ok(age >= 3600 && age < 4000, `${age} s`)
  t.equal(values.get(deliveries('sent')), 0)
})

t.test('metrics are collected while the outbox cannot be read', async (t) => {
  const METRICS_PORT = await freePort()
  const app = await ownApp(t, { METRICS_PORT })
  const hasBacklog = ({ values }: Awaited<ReturnType<typeof collect>>) =>
    backlog.map((name) => values.has(name))
  t.same(hasBacklog(await collect(METRICS_PORT)), [true, true])
  await app.db.execute(sql`alter table outbox rename to outbox_gone`)
  const without = await collect(METRICS_PORT)
  t.equal(without.status, 200)
  t.same(hasBacklog(without), [false, false], 'an old value would be wrong')
  t.ok(without.values.has(deliveries('caught')) && without.values.has('portal_hashes_running'))
  await app.db.execute(sql`alter table outbox_gone rename to outbox`)
  t.same(hasBacklog(await collect(METRICS_PORT)), [true, true])
})

t.test('a portal that sends no mail has no metrics of it', async (t) => {
  const METRICS_PORT = await freePort()
  await ownApp(t, {
    METRICS_PORT,
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  const { values } = await collect(METRICS_PORT)
  t.ok(values.has('portal_ready'))
  t.same(
    [...values.keys()].filter((name) => name.includes('outbox')),
    []
  )
})

t.test('metrics cover mail to strangers, and how much was confirmed', async (t) => {
  const METRICS_PORT = await freePort()
  const app = await ownApp(t, { METRICS_PORT })
  await app.db.insert(confirmationMails).values({ id: randomUUID(), confirmedAt: new Date() })
  const { values } = await collect(METRICS_PORT)
  t.equal(values.get('portal_confirmation_mails_hour'), 1)
  t.equal(values.get('portal_confirmation_mails_confirmed'), 1)
  t.equal(values.get('portal_challenge_difficulty'), 0)
})
