import t from 'tap'
import { randomBytes } from 'node:crypto'
import { openDatabase } from '../../../db/client.ts'
import { createBulkhead } from '../../../src/domain/bulkhead.ts'
import { createPasswords } from '../../../src/domain/passwords/passwords.ts'
import { createProofs } from '../../../src/domain/guard/proofs.ts'
import type { DomainError } from '../../../src/domain/errors.ts'
import { registerUser, requestAccount } from '../../../src/domain/sign-in/registration.ts'
import {
  anonymous,
  freshEmail,
  servicesOf,
  password,
  testDatabase,
  testDatabaseUrl
} from '../../support/app.ts'
import { solve } from '../../support/proofs.ts'

t.test(
  'a registration beyond the hashing limit is rejected without a database query',
  async (t) => {
    const closed = await openDatabase(await testDatabaseUrl(t), { poolMax: 1 })
    await closed.close()
    const bulkhead = createBulkhead({ running: 1, waiting: 0, maxWait: 1000 })
    const services = {
      ...servicesOf(closed),
      passwords: createPasswords({ minLength: 8, cost: 4, bulkhead })
    }
    const register = (secret = password) =>
      registerUser(services, anonymous, { email: freshEmail(), password: secret, name: 'Ada' })
    let release = () => {}
    const held = bulkhead.run(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        })
    )
    await t.rejects(register(), { code: 'overloaded' })
    await t.rejects(
      register('short'),
      { code: 'invalid-request' },
      'input that can never work is still explained'
    )
    release()
    await held
    t.not(await register().catch(({ code }) => code), 'overloaded', 'and there is room again')
  }
)

t.test('closed registration is rejected before the input is validated', async (t) => {
  const database = await testDatabase(t)
  const context = { ...servicesOf(database), registration: 'closed' as const }
  const input = { email: freshEmail(), password: 'short', name: 'Ada' }
  await t.rejects(registerUser(context, anonymous, input), { code: 'registration-closed' })
  const open = registerUser(servicesOf(database), anonymous, { ...input, password })
  t.match(await open, { email: input.email }, 'and no account was created')
})

t.test(
  'a person with a solution gets a hash while attempts without one fill the queue',
  async (t) => {
    const bulkhead = createBulkhead({ running: 1, waiting: 4, maxWait: 60_000 })
    const services = servicesOf(await testDatabase(t))
    const { sealing } = services
    const context = {
      ...services,
      mail: { sealing, delivers: true, verification: 'required', signInNotices: true } as const,
      guard: { proofs: createProofs([randomBytes(32)]), isSuspect: () => false },
      passwords: createPasswords({ minLength: 8, cost: 4, bulkhead })
    }
    const register = (proof?: string) =>
      requestAccount(context, anonymous, { email: 'ada@example.com', password, name: 'Ada', proof })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const logins = Array.from({ length: 5 }, () => bulkhead.run(() => held))
    const displaced = t.rejects(logins.at(-1)!, { code: 'overloaded' })
    const refused = await register().catch((error: DomainError) => error)
    t.match(refused, { code: 'challenge-required', challenge: { difficulty: 2 ** 16 } })
    const { challenge } = refused as DomainError
    const registered = register(solve(challenge!))
    await displaced
    release()
    await registered
    await Promise.all(logins.slice(0, -1))
  }
)
