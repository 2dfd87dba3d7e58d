import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { PgSession } from 'drizzle-orm/pg-core'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import t from 'tap'
import { confirmationMails } from '../../../../db/schema/outbox.ts'
import { throttle } from '../../../../db/schema/throttle.ts'
import { changeEmail } from '../../../../src/domain/accounts/emails.ts'
import { requestRecovery } from '../../../../src/domain/accounts/recovery.ts'
import type { DomainError } from '../../../../src/domain/errors.ts'
import { requestAccount } from '../../../../src/domain/sign-in/registration.ts'
import { actorOf } from '../../../support/actors.ts'
import { anonymous, aUser, freshEmail, password } from '../../../support/app.ts'
import { aMachine } from '../../../support/keys.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { solve } from '../../../support/proofs.ts'
import { challengeFor, crowded, register, strict } from './challenged-app.ts'

/** The work of a call alone, apart from work that runs beside it. */
const own = new AsyncLocalStorage<{ statements: string[]; hashes: number }>()
const { prototype } = PostgresJsSession as unknown as { prototype: PgSession }
const { prepareQuery } = prototype
prototype.prepareQuery = function (this: PgSession, ...args) {
  own.getStore()?.statements.push(args[0].sql)
  return prepareQuery.apply(this, args)
} as typeof prepareQuery
t.teardown(() => {
  prototype.prepareQuery = prepareQuery
})

const codeOf = (error: DomainError) => error.code

async function workOf(call: () => Promise<unknown>) {
  const work = { statements: [], hashes: 0 }
  const code = await own.run(work, () => call().then(() => undefined, codeOf))
  return { code, ...work }
}

t.test('a registered address takes the same statements and hashes as a free one', async (t) => {
  const app = await strict(t, { THROTTLE_MAIL_UNPROVED: { burst: 2, seconds: 999_999 } })
  const { mail, passwords } = app.context
  const counted: typeof passwords = {
    ...passwords,
    hash(...args) {
      const work = own.getStore()
      if (work) work.hashes++
      return passwords.hash(...args)
    }
  }
  const { email: taken } = await aUser(app.database)
  const free = freshEmail()
  const context = { ...app.context, passwords: counted, mail: mail! }
  const works = async (proofs?: Map<string, string>) => {
    const found = []
    for (const email of [taken, free]) {
      const input = { email, password, name: 'Ada', proof: proofs?.get(email) }
      const { code, ...work } = await workOf(() => requestAccount(context, anonymous, input))
      t.ok(work.statements.length > 2)
      found.push({ code, ...work })
    }
    t.same(found[0], found[1])
    return found[1]
  }
  t.match(await works(), { code: undefined, hashes: 1 })
  t.match(await works(), { code: 'challenge-required', hashes: 0 })
  const proofs = new Map<string, string>()
  for (const email of [taken, free]) proofs.set(email, solve(await challengeFor(app, email)))
  t.match(await works(proofs), { code: undefined, hashes: 1 })
})

t.test('recovery and a change of address take the same statements as well', async (t) => {
  const app = await strict(t, { THROTTLE_MAIL_UNPROVED: { burst: 3, seconds: 999_999 } })
  const { context, database } = app
  const { email: taken } = await aUser(database)
  const self = await actorOf(database, await aUser(database))
  const asking = {
    recovery: (email: string, proof?: string) =>
      requestRecovery(context, anonymous, { email, proof }),
    'email-change': (email: string, proof?: string) =>
      changeEmail(context, self, { email, proof, currentPassword: password })
  }
  for (const purpose of ['recovery', 'email-change'] as const) {
    await app.db.delete(throttle)
    await asking[purpose](freshEmail()) // the first password check reads the costs of all
    for (const code of [undefined, 'challenge-required', 'solved']) {
      const works = []
      for (const email of [taken, freshEmail()]) {
        const { guard } = context
        const challenge = guard!.proofs.issue({ purpose, email }, 2 ** 16, new Date())
        const proof = code === 'solved' ? solve(challenge) : undefined
        works.push(await workOf(() => asking[purpose](email, proof)))
      }
      t.match(works[0], { code: code === 'solved' ? undefined : code }, purpose)
      t.same(works[0], works[1], `${purpose} ${code}`)
    }
  }
})

t.test('a source over its limit uses up nothing that others share', async (t) => {
  const app = await strict(t, {
    THROTTLE_MAIL_UNPROVED: { burst: 3, seconds: 999_999 },
    THROTTLE_REGISTER: { burst: 2, seconds: 999_999 }
  })
  const from = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: freshEmail(), password, name: 'Ada' },
      remoteAddress
    })
  const codes = []
  for (const host of [1, 1, 1, 1, 2]) codes.push((await from(`192.0.2.${host}`)).statusCode)
  t.same(codes, [202, 202, 429, 429, 202])
})

t.test('one mailbox has one limit, whatever the tag and the dots in its address', async (t) => {
  const app = await strict(t, {
    THROTTLE_MAIL_UNPROVED: { burst: 99, seconds: 1 },
    THROTTLE_MAIL_ADDRESS: { burst: 3, seconds: 9999 }
  })
  const codes = []
  for (const local of ['ada.l', 'a.d.al', 'adal+x', 'ad.al+y.z', 'adam']) {
    codes.push((await register(app, `${local}@mail.example.com`)).statusCode)
  }
  t.same(codes, [202, 202, 202, 429, 202])
})

t.test('programs with API keys are never challenged', async (t) => {
  const app = await crowded(t, { MACHINE_ADMIN: 'on' })
  const mails = Array.from({ length: 100 }, () => ({ id: randomUUID() }))
  await app.db.insert(confirmationMails).values(mails)
  const { call } = await aMachine(app, ...userPermissions, 'users:create', 'users:update')
  const body = { email: freshEmail(), name: 'Ada', link: 'invitation' }
  const created = await call('POST', '/api/machine/users', body)
  t.equal(created.statusCode, 201, 'which sends an invitation')
  const { id } = created.json<{ id: string }>()
  for (let i = 0; i < 3; i++) {
    const link = await call('POST', `/api/machine/users/${id}/link`, { kind: 'recovery' })
    t.equal(link.statusCode, 202)
  }
})
