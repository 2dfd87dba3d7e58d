import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { callerOf, aUser, ownApp, until } from '../../../support/app.ts'

// Waits for the minute after which the product cuts a connection.

t.test('a client that stops reading is cut off', async (t) => {
  const app = await ownApp(t)
  const user = await aUser(app.database)
  const { cookie } = await callerOf(app, user)
  // In portions: on a busy machine, one statement would meet the time limit of statements.
  for (let portion = 0; portion < 20; portion += 1) {
    await app.db.execute(sql`insert into ${activity}
      (id, at, action, outcome, actor_type, actor_id, source, user_agent, details)
      select gen_random_uuid(), now(), 'auth.login', 'success', 'user', ${user.id}::uuid, 'api',
        repeat('x', 250), '{}' from generate_series(1, 2000)`)
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1').pause()
  t.teardown(() => client.destroy())
  client.write(
    `GET /api/user/export HTTP/1.1\r\nhost: localhost:${port}\r\ncookie: ${cookie}\r\n\r\n`
  )
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  await until(async () => (await connections()) === 1)
  await until(async () => (await connections()) === 0)
  let received = 0
  client
    .on('error', () => {})
    .on('data', (chunk) => {
      received += chunk.length
    })
  await new Promise((resolve) => client.once('close', resolve).resume())
  t.ok(received > 0)
  t.ok(received < 10_000_000, 'the file is longer')
})
