import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { aCaller, ownApp, testDatabaseUrl, until } from '../support/app.ts'
import { portOf } from '../support/raw-requests.ts'

// A client that sends reads and leaves keeps a place of its session for no longer than the work
// takes. PostgreSQL holds the reads up with the lock of a table, from a connection that the
// application does not have.

const url = await testDatabaseUrl(t)
const app = await ownApp(t, {}, await openDatabase(url, { poolMax: 5 }))
await app.listen({ port: 0, host: '127.0.0.1' })
const other = await openDatabase(url, { poolMax: 2 })
t.teardown(() => other.close())
const path = '/api/user/keys'
/** The response when all places are taken. */
const areTaken = { status: 503, code: 'overloaded' }

/** Does something while nobody can read a table. */
const whileLocked = (table: 'api_keys' | 'sessions', work: () => Promise<unknown>) =>
  other.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
    await work()
  })

async function isWaitingForLock() {
  const found: unknown = await other.db.execute(sql`
    select from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`)
  return (found as unknown[]).length > 0
}

/** Sends reads on so many connections, so many on each, and waits until the server has them all. */
async function sendReads(
  cookie: string,
  { connections, each }: Record<'connections' | 'each', number>
) {
  let received = 0
  const note = () => {
    received++
  }
  app.server.on('request', note)
  const read = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(portOf(app), '127.0.0.1').on('error', () => {})
    socket.write(read.repeat(each))
    return socket
  })
  await until(() => received === connections * each)
  app.server.off('request', note)
  return sockets
}

const openConnections = () =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

/** Closes connections, and waits until the server has noticed it. */
async function leave(sockets: Socket[]) {
  for (const socket of sockets) socket.destroy()
  await until(async () => (await openConnections()) === 0)
}

t.test('reads whose client leaves during their authentication keep no place', async (t) => {
  const { call, cookie } = await aCaller(app)
  await whileLocked('sessions', async () => {
    await leave(await sendReads(cookie, { connections: 50, each: 1 }))
  })
  t.equal((await call('GET', '/api/auth/me')).statusCode, 200)
  t.equal((await call('GET', path)).statusCode, 200)
})

t.test('a read keeps its place until its work ends, although its client has left', async (t) => {
  const { call, cookie } = await aCaller(app)
  t.equal((await call('GET', path)).statusCode, 200)
  await whileLocked('api_keys', async () => {
    const sockets = await sendReads(cookie, { connections: 25, each: 2 })
    t.match((await call('GET', path)).json(), areTaken)
    await leave(sockets)
    t.match((await call('GET', path)).json(), areTaken, 'their statements run')
  })
  const areAllFree = async () => {
    const reads = await Promise.all(Array.from({ length: 50 }, () => call('GET', path)))
    return reads.every(({ statusCode }) => statusCode === 200)
  }
  await until(areAllFree)
})

t.test(
  'an export whose client has left keeps its place until its last statement ends',
  async (t) => {
    const { call, cookie } = await aCaller(app)
    await whileLocked('api_keys', async () => {
      const socket = connect(portOf(app), '127.0.0.1')
      socket.write(`GET /api/user/export HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
      let text = ''
      socket.on('data', (data: Buffer) => (text += data.toString()))
      await until(() => text.includes('"keys":['))
      await until(isWaitingForLock) // an export whose client leaves before sends no more statements
      await leave([socket])
      const sockets = await sendReads(cookie, { connections: 49, each: 1 })
      t.match((await call('GET', path)).json(), areTaken)
      await leave(sockets)
    })
  }
)
