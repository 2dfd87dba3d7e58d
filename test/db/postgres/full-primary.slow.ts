import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'

t.test(
  'a primary without free connections is not abandoned for the next host',
  {
    skip: onPglite && 'it has no hosts'
  },
  async (t) => {
    const url = new URL(await testDatabaseUrl(t))
    let tried = 0
    const next = createServer((socket) => {
      tried++
      socket.destroy()
    })
    await new Promise<void>((resolve) => next.listen(0, '127.0.0.1', resolve))
    t.teardown(() => next.close())
    const role = `full${url.pathname.slice(1)}`
    const admin = postgres(url.href, { max: 1, onnotice: () => {} })
    t.teardown(async () => {
      await admin.unsafe(`drop role ${role}`)
      await admin.end()
    })
    await admin.unsafe(`create role ${role} login connection limit 1`)
    const hosts = (...ports: (number | string)[]) =>
      `postgres://${role}@${ports.map((port) => `127.0.0.1:${port}`).join()}${url.pathname}?target_session_attrs=primary`
    const holder = postgres(hosts(url.port).split('?')[0] ?? '', { max: 1, onnotice: () => {} })
    await holder`select 1`
    const database = await openDatabase(hosts(url.port, (next.address() as AddressInfo).port))
    t.teardown(() => database.close())
    const ask = () => database.db.execute(sql`select 1`)
    for (let i = 0; i < 3; i++) await t.rejects(ask(), { cause: { code: '53300' } })
    t.equal(tried, 0)
    await holder.end()
    await t.resolves(ask())
  }
)
