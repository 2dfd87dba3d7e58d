import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { registrations, tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { readTime } from '../../db/time.ts'
import { createUser, deleteUser, updateUser } from '../../src/domain/administration/users.ts'
import { prepareUser } from '../../src/domain/administration/import-lines.ts'
import { importUsers, judgeUsers, readRoleIds } from '../../src/domain/administration/import.ts'
import { createRevert } from '../../src/domain/mail/links.ts'
import { registerUser, requestAccount } from '../../src/domain/sign-in/registration.ts'
import {
  anonymous,
  aUser,
  freshEmail,
  onPglite,
  operator,
  ownApp,
  password,
  until
} from '../support/app.ts'
import { waitingForLocks } from '../support/locks.ts'
import { serverIsolation } from '../support/test-server.ts'
import { takingBack } from '../support/ways-back.ts'

// While a link can restore the address that an account had, nobody else gets the address, and the
// account cannot be deleted by somebody who may have taken it over.

const app = await ownApp(t)
const { db, database, context } = app
const { mails, post, rowOf, firstLink, aVictim, move, ...way } = takingBack(app)
const taken = { status: 409, code: 'email-taken' }
const name = 'Ada'

/** An account that a thief has moved to another address. */
async function aMovedAccount() {
  const { user, thief } = await aVictim()
  const stolen = await move(thief.cookie, password)
  return { user, thief, stolen, freed: user.email }
}
const expireLinks = ({ id }: { id: string }) =>
  db
    .update(tokens)
    .set({ expiresAt: sql`now() - interval '1 millisecond'` })
    .where(eq(tokens.userId, id))

t.test('the account is not deleted by its user while the link is valid', async (t) => {
  const { user, thief, freed } = await aMovedAccount()
  const deletion = () => thief.call('POST', '/api/user/deletion', { currentPassword: password })
  const refused = await deletion()
  t.match(refused.json(), { status: 409, code: 'deletion-waits', detail: /after 20.* UTC\.$/ })
  const hours = Number(refused.headers['retry-after']) / 3600
  t.ok(hours > 71.9 && hours <= 72, `${hours} hours`)
  t.match(await rowOf(user.id), { id: user.id })
  t.equal((await way.revertEmail((await firstLink(freed, 'email-changed')) ?? '')).statusCode, 204)

  const owner = await way.signedInAs({ email: freed }, 'taken back by its owner')
  const own = { currentPassword: 'taken back by its owner' }
  t.equal((await owner.call('POST', '/api/user/deletion', own)).statusCode, 204)
})

t.test('afterwards it is, and by an operator at any time', async (t) => {
  const { user, thief } = await aMovedAccount()
  await expireLinks(user)
  const body = { currentPassword: password }
  t.equal((await thief.call('POST', '/api/user/deletion', body)).statusCode, 204)
  const other = await aMovedAccount()
  await deleteUser(context, operator, { id: other.user.id })
  t.equal(await rowOf(other.user.id), undefined)
})

t.test('the freed address is taken for everybody else', async (t) => {
  const { user, freed } = await aMovedAccount()
  t.match((await post('/api/auth/register', { email: freed, password, name })).json(), taken)
  t.match(
    (await post('/api/auth/register', { email: freed.toUpperCase(), password, name })).json(),
    taken
  )
  await t.rejects(createUser(context, operator, { email: freed, name }), { code: 'email-taken' })
  const another = await aUser(database)
  const update = updateUser(context, operator, { id: another.id, changes: { email: freed } })
  await t.rejects(update, { code: 'email-taken' })

  const roles = await readRoleIds(db)
  const rows = [freed, freshEmail()].map((email) =>
    prepareUser({ email, name }, { roles, providerOf: () => undefined })
  )
  t.same(await judgeUsers(db, rows), [{ existing: undefined, isProved: true }, 'new'])
  const { sealing } = context
  t.same(await importUsers(db, operator, { users: rows, roles, sealing }), rows.slice(1))
  t.same(await rowOf(rows[0]?.user.id ?? ''), undefined)

  t.equal((await way.revertEmail((await firstLink(freed, 'email-changed')) ?? '')).statusCode, 204)
  t.match(await rowOf(user.id), { email: freed })
})

t.test('for another user who changes to it, it is as any registered address', async (t) => {
  const { freed } = await aMovedAccount()
  const other = await aVictim()
  const asked = await other.thief.call('PUT', '/api/user/email', {
    email: freed,
    currentPassword: password
  })
  t.equal(asked.statusCode, 202)
  const token = await mails.token(freed, 'email-change')
  const answer = await post('/api/user/email/confirm', { token }, other.thief.cookie)
  t.match(answer.json(), taken)
  t.match(await rowOf(other.user.id), { email: other.user.email })
})

t.test('the account itself may go back', async (t) => {
  const { user, thief, freed } = await aMovedAccount()
  await move(thief.cookie, password, freed)
  t.match(await rowOf(user.id), { email: freed })
})

t.test('it is free once the link has expired, or an operator has moved the account', async (t) => {
  const first = await aMovedAccount()
  await expireLinks(first.user)
  t.equal(
    (await post('/api/auth/register', { email: first.freed, password, name })).statusCode,
    201
  )
  const second = await aMovedAccount()
  const changes = { email: freshEmail() }
  await updateUser(context, operator, { id: second.user.id, changes })
  t.equal(
    (await post('/api/auth/register', { email: second.freed, password, name })).statusCode,
    201
  )
})

t.test(
  'where addresses are confirmed, the response is the same and the mail says why',
  async (t) => {
    const { user, freed } = await aMovedAccount()
    const { mail } = context
    if (!mail) throw new Error('no mail')
    const strict = { ...context, mail: { ...mail, verification: 'required' as const } }
    await requestAccount(strict, anonymous, { email: freed, password, name, locale: 'de' })
    const { subject, text } = await mails.newest(freed, 'address-kept')
    t.match(subject, 'Diese Adresse')
    t.notMatch(text, /token=|Ada/)
    t.same(await db.select().from(registrations).where(eq(registrations.email, freed)), [])
    t.notOk((await mails.kindsTo(freed)).includes('confirm'))
    t.match(await rowOf(user.id), { status: 'active' })
  }
)

t.test('a registration that began before does not get it either', async (t) => {
  const { user, thief } = await aVictim()
  const stolen = await move(thief.cookie, password)
  await way.forgetLinks(user)
  const { mail } = context
  if (!mail) throw new Error('no mail')
  const strict = { ...context, mail: { ...mail, verification: 'required' as const } }
  await requestAccount(strict, anonymous, { email: user.email, password, name })
  const token = await mails.token(user.email, 'confirm')
  await move(thief.cookie, password, user.email)
  await move(thief.cookie, password)
  const answer = await post('/api/auth/confirm', { token, password })
  t.match(answer.json(), { code: 'invalid-token' })
  t.not(stolen, user.email)
})

t.test(
  'a registration that waits for the change does not get the address',
  {
    skip:
      (onPglite && 'one connection') ||
      (serverIsolation && 'a transaction on a snapshot judges by the state before the wait')
  },
  async (t) => {
    const { user } = await aVictim()
    let registering: Promise<unknown> = Promise.resolve()
    await db.transaction(async (tx) => {
      const changes = { email: freshEmail(), emailNormalized: freshEmail() }
      await tx.update(users).set(changes).where(eq(users.id, user.id))
      const since = await readTime(tx)
      const owner = { ...user, emailNormalized: user.email }
      await createRevert(tx, { purpose: 'email-revert', user: owner, since })
      registering = registerUser(context, anonymous, { email: user.email, password, name })
      registering.catch(() => {})
      await until(async () => (await waitingForLocks(db)) > 0)
    })
    await t.rejects(registering, { code: 'email-taken' })
  }
)
