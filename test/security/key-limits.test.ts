import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { newKey } from '../../src/domain/keys/key-form.ts'
import { revokeKey } from '../../src/domain/services/key-revocation.ts'
import { updateService } from '../../src/domain/services/services.ts'
import { operator, ownApp, testDatabaseUrl, until } from '../support/app.ts'
import { aService, aServiceKey, keyCaller } from '../support/keys.ts'
import { stoppableProxy } from '../support/stoppable-proxy.ts'

// Tests the cost of API keys that are not valid, and when they are limited.

t.test('a mistyped key sends nothing to the database, and an unknown one does', async (t) => {
  const wire = await stoppableProxy(t, await testDatabaseUrl(t))
  const app = await ownApp(t, {}, await openDatabase(wire.url, { poolMax: 5 }))
  const { secret } = await aServiceKey(app.database, await aService(app.database))
  const status = async (text: string) => (await keyCaller(app, text).me()).statusCode
  // 503 on a busy machine is neither a yes nor a no.
  const answer = (text: string) =>
    until(async () => {
      const found = await status(text)
      return found === 503 ? undefined : found
    })
  t.equal(await answer(secret), 200)
  const mistyped = `${secret.slice(0, 20)}${secret[20] === 'x' ? 'y' : 'x'}${secret.slice(21)}`
  const sent: number[] = []
  // Several times, because the server may do something of its own meanwhile.
  for (let turn = 0; turn < 5 && !sent.includes(0); turn++) {
    const before = wire.received()
    for (let i = 0; i < 50; i++) t.equal(await status(mistyped), 401)
    sent.push(wire.received() - before)
  }
  t.ok(sent.includes(0), `bytes to the database: ${sent.join()}`)
  const before = wire.received()
  t.equal(await answer(newKey().secret), 401)
  t.ok(wire.received() > before, 'bytes are counted')
})

t.test('many unknown keys from one address are refused without a look-up', async (t) => {
  const app = await ownApp(t, { THROTTLE_UNKNOWN_KEYS: { burst: 3, seconds: 600 } })
  const status = async (secret: string) => (await keyCaller(app, secret).me()).statusCode
  const good = await aServiceKey(app.database, await aService(app.database))
  const late = await aServiceKey(app.database, await aService(app.database))
  t.equal(await status(good.secret), 200)
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push(await status(newKey().secret))
  t.same(statuses, [401, 401, 401, 429, 429])
  const refused = await keyCaller(app, newKey().secret).me()
  t.ok(Number(refused.headers['retry-after']) > 0)
  t.equal(await status(good.secret), 200, 'one in use still works')
  t.equal(await status(late.secret), 429)
})

t.test('a key that has ended does not count as an unknown one', async (t) => {
  const app = await ownApp(t, { THROTTLE_UNKNOWN_KEYS: { burst: 1, seconds: 600 } })
  const status = async (secret: string) => (await keyCaller(app, secret).me()).statusCode
  const [service, closed] = [await aService(app.database), await aService(app.database)]
  const [revoked, expired, good] = [
    await aServiceKey(app.database, service),
    await aServiceKey(app.database, service),
    await aServiceKey(app.database, service)
  ]
  const ofClosed = await aServiceKey(app.database, closed)
  await revokeKey(app.db, operator, { id: revoked.id })
  await app.db
    .update(apiKeys)
    .set({ createdAt: sql`now() - interval '2 days'`, expiresAt: sql`now() - interval '1 day'` })
    .where(eq(apiKeys.id, expired.id))
  await updateService(app.db, operator, { key: closed.key, changes: { status: 'deactivated' } })
  for (let turn = 0; turn < 3; turn++) {
    for (const { secret } of [revoked, expired, ofClosed]) t.equal(await status(secret), 401)
  }
  t.equal(await status(good.secret), 200)
  t.equal(await status(newKey().secret), 401)
  t.equal(await status(newKey().secret), 429, 'an unknown one counts')
})
