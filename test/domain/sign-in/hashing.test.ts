import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { users } from '../../../db/schema/users.ts'
import { createBulkhead } from '../../../src/domain/bulkhead.ts'
import { createPasswords } from '../../../src/domain/passwords/passwords.ts'
import {
  anonymous,
  aUser,
  password,
  passwords,
  passwordsOf,
  servicesOf,
  testDatabase,
  testDatabaseUrl
} from '../../support/app.ts'
import { loginsOn } from './logins.ts'
import { signIn } from '../../support/sign-in.ts'

const database = await testDatabase(t)
const { db } = database
const { services: context, login, live } = loginsOn(database)

t.test('a login renews a hash of lower cost without ending sessions', async (t) => {
  const user = await aUser(database)
  const { session } = await login(user.email)
  const stronger = passwordsOf(5)
  await signIn({ ...context, passwords: stronger }, anonymous, {
    email: user.email,
    password,
    presented: []
  })
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.match(row, { passwordHash: /^\$2b\$05\$/, credentialVersion: 1 })
  t.ok((await live(user.id)).some((each) => each.id === session.id))
  await t.resolves(login(user.email))
})

t.test('a failed login does not renew a hash', async (t) => {
  const user = await aUser(database)
  await db
    .update(users)
    .set({ passwordHash: await hash('something else', 4) })
    .where(eq(users.id, user.id))
  await t.rejects(
    signIn({ ...context, passwords: passwordsOf(5) }, anonymous, {
      email: user.email,
      password,
      presented: []
    }),
    { code: 'invalid-credentials' }
  )
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.match(row?.passwordHash, /^\$2b\$04\$/)
})

t.test('a login that renews a hash does not overwrite a password set meanwhile', async (t) => {
  const user = await aUser(database)
  const stronger = passwordsOf(5)
  const chosen = await passwords.hash('a new horse battery')
  const meanwhile = {
    ...stronger,
    hash: async (text: string) => {
      await db.update(users).set({ passwordHash: chosen }).where(eq(users.id, user.id))
      return stronger.hash(text)
    }
  }
  await signIn({ ...context, passwords: meanwhile }, anonymous, {
    email: user.email,
    password,
    presented: []
  })
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.equal(row?.passwordHash, chosen)
})

t.test('when no hash can run, a made-up device is rejected without a transaction', async (t) => {
  const user = await aUser(database)
  const bulkhead = createBulkhead({ running: 1, waiting: 0, maxWait: 1000 })
  const full = { ...context, passwords: createPasswords({ minLength: 8, cost: 4, bulkhead }) }
  let release = () => {}
  const held = bulkhead.run(
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      })
  )
  const transactions = t.capture(db, 'transaction', db.transaction)
  for (const device of ['made up', `${'A'.repeat(22)}.${'B'.repeat(43)}`]) {
    await t.rejects(
      signIn(full, anonymous, { email: user.email, password, device, presented: [] }),
      { code: 'overloaded' }
    )
  }
  t.same(transactions(), [])
  release()
  await held
})

t.test(
  'when no hash can run, a login without a genuine device cookie is rejected without a database query',
  async (t) => {
    const over = await openDatabase(await testDatabaseUrl(t), { poolMax: 1 })
    const bulkhead = createBulkhead({ running: 1, waiting: 0, maxWait: 1000 })
    const full = {
      ...servicesOf(over),
      passwords: createPasswords({ minLength: 8, cost: 4, bulkhead })
    }
    await over.close()
    let release = () => {}
    const held = bulkhead.run(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        })
    )
    const storm = (device?: string) =>
      signIn(full, anonymous, { email: 'ada@example.com', password, device, presented: [] })
    await t.rejects(storm(), { code: 'overloaded' })
    await t.rejects(storm('some device'), { code: 'overloaded' })
    const genuine = full.devices.issue({ id: randomUUID(), credentialVersion: 1 })
    t.not(await storm(genuine).catch(({ code }) => code), 'overloaded')
    release()
    await held
    t.not(await storm().catch(({ code }) => code), 'overloaded', 'and there is room again')
  }
)
