import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import { v7 as uuid } from 'uuid'
import { parseKeyList } from '../src/config/keys.ts'
import { createSealing } from '../src/domain/sealing.ts'
import { newSecret, sealSecret, signedHeaders } from '../src/domain/webhooks/signature.ts'
import { countingReceiver } from '../test/resilience/counting-receiver.ts'
import { certificateFor } from '../test/support/certificate.ts'
import { settings } from '../test/support/many-sessions.ts'
import { root } from '../test/support/root.ts'
import { assertSame } from './load.ts'
import { countOf } from './stage.ts'
import type { Rates } from './writers.ts'

// The parts of bench/writers.ts that write without a request.

/** The worker sends four at a time to each of five endpoints. */
const [endpoints, atOnce] = [5, 20]

/** A receiver that verifies each signature. Bare is a request and the update of its row. */
export async function startReceiver(
  sql: Sql,
  folder: string,
  events: number,
  teardown: (end: () => unknown) => void
) {
  const [{ cert, key }, secret, file] = [
    certificateFor('127.0.0.1'),
    newSecret(),
    path.join(folder, 'receiver.pem')
  ]
  writeFileSync(file, cert)
  const receiver = await countingReceiver({ teardown }, { cert, key, secret })
  const sealing = createSealing(parseKeyList(settings('').SECRET_KEYS))
  const ids = Array.from({ length: endpoints }, () => uuid())
  for (const id of ids) {
    await sql`insert into webhook_endpoints (id, url, events, secret) values (
      ${id}, ${receiver.url}, '["admin.bootstrap"]', ${sealSecret(sealing, id, secret)})`
  }
  /** Records and their deliveries, of which each endpoint has as many. */
  const happen = (days: number) => sql<{ id: string }[]>`
    with records as (
      insert into activity (id, action, outcome, actor_type, target_type, target_id, source)
      select gen_random_uuid(), 'admin.bootstrap', 'success', 'system', 'user',
        (select id::text from users limit 1), 'job'
      from generate_series(1, ${Math.ceil(events / endpoints)}::int)
      returning id, at)
    insert into deliveries (endpoint_id, event_id, event_at, next_at, expires_at)
    select endpoint, records.id, at, now() + ${days}::int * interval '1 day', now() + interval '4 days'
    from records, unnest(${ids}::uuid[]) as endpoint returning id`
  const isDone = (some: { id: string }[]) =>
    countOf(sql`
      select count(*) from deliveries where state = 'delivered' and last_status = 204
      and id = any(${some.map(({ id }) => id)}::uuid[])`)
  const rates: Rates = {
    async portal() {
      const before = receiver.messages.size
      const sent = await happen(0)
      const arrived = () => receiver.messages.size - before
      while (arrived() === 0) await sleep(5)
      const [start, first] = [performance.now(), arrived()]
      while (arrived() < sent.length) await sleep(5)
      const rate = ((sent.length - first) / (performance.now() - start)) * 1000
      while ((await isDone(sent)) < sent.length) await sleep(50)
      assertSame('deliveries with a wrong signature', receiver.forged(), 0)
      return rate
    },
    async bare() {
      const rows = await happen(1) // the worker leaves them alone
      const body = JSON.stringify({ data: { id: uuid(), text: 'x'.repeat(700) } })
      const [start, all] = [performance.now(), [...rows]]
      const send = async () => {
        for (let row = all.pop(); row; row = all.pop()) {
          const headers = signedHeaders([secret], row.id, body)
          const sent = request(receiver.url, { method: 'POST', ca: cert, agent: false, headers })
          sent.end(body)
          const [response] = (await once(sent, 'response')) as [Readable & { statusCode: number }]
          await once(response.resume(), 'end')
          await sql`
            update deliveries set state = 'delivered', attempts = 1, done_at = now(),
              last_status = ${response.statusCode} where id = ${row.id}`
        }
      }
      await Promise.all(Array.from({ length: atOnce }, send))
      const rate = (rows.length / (performance.now() - start)) * 1000
      assertSame('bare deliveries', await isDone(rows), rows.length)
      return rate
    }
  }
  return { rates, env: { WEBHOOK_NETWORKS: '127.0.0.1', NODE_EXTRA_CA_CERTS: file } }
}

/** The command, with its start, and COPY of the same rows into the same three tables. */
export function imports(url: string, sql: Sql, file: string, accounts: number): Rates {
  const passwordHash = `$2b$12$${'a'.repeat(53)}`
  const numbers = Array.from({ length: accounts }, (_, n) => n)
  const withRecord = (run: string) =>
    countOf(sql`
      select count(*) from users join user_roles on user_id = id
      join activity on target_id = users.id::text and action = 'user.create'
      where email like ${`${run}-%`} and password_hash = ${passwordHash}`)
  const timed = async (run: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    const rate = (accounts / (performance.now() - start)) * 1000
    await sql`analyze` // Without statistics, PostgreSQL joins these tables row by row.
    assertSame('imported users', await withRecord(run), accounts)
    return rate
  }
  return {
    portal() {
      const run = uuid()
      const lines = numbers.map((n) =>
        JSON.stringify({ email: `${run}-${n}@example.com`, name: 'Ada Lovelace', passwordHash })
      )
      writeFileSync(file, lines.join('\n'))
      const env = { PATH: process.env.PATH, ...settings(url) }
      const command = [path.join(root, 'bin/portal.js'), 'import', 'users', file]
      return timed(run, () => promisify(execFile)(process.execPath, command, { env }))
    },
    async bare() {
      const [run, [role]] = [uuid(), await sql`select id from roles where key = 'user'`]
      const made = numbers.map((n) => [uuid(), `${run}-${n}@example.com`] as const)
      const tables = {
        'users (id, email, email_normalized, name, password_hash)': made.map(([id, email]) =>
          [id, email, email, 'Ada Lovelace', passwordHash].join('\t')
        ),
        'user_roles (user_id, role_id)': made.map(([id]) => `${id}\t${role?.id}`),
        'activity (id, action, outcome, actor_type, target_type, target_id, source, details)':
          made.map(([id, email]) =>
            [
              uuid(),
              'user.create',
              'success',
              'cli',
              'user',
              id,
              'cli',
              `{"email":"${email}"}`
            ].join('\t')
          )
      }
      return timed(run, () =>
        sql.begin(async (tx) => {
          for (const [table, rows] of Object.entries(tables)) {
            const into = await tx.unsafe(`copy ${table} from stdin`).writable()
            await pipeline(Readable.from([`${rows.join('\n')}\n`]), into)
          }
        })
      )
    }
  }
}
