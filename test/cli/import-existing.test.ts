// Not on PGlite: it has one connection, so that nothing waits for a lock.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { desc, eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { users } from '../../db/schema/users.ts'
import { importUsers, readRoleIds } from '../../src/domain/administration/import.ts'
import { prepareUser } from '../../src/domain/administration/import-lines.ts'
import { createRevert } from '../../src/domain/mail/links.ts'
import { createService } from '../../src/domain/services/services.ts'
import { importFile } from '../../src/commands/import-file.ts'
import {
  aCaller,
  aRole,
  aUser,
  freshEmail,
  operator,
  password,
  temporaryFolder,
  ownApp,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { waitingForLocks } from '../support/locks.ts'
import { confirmed } from '../support/mails.ts'
import { clientOf } from '../support/requests.ts'
import { portal } from './run.ts'

// An import meets accounts that exist, and leaves records.

const DATABASE_URL = await testDatabaseUrl(t)
const database = await openDatabase(DATABASE_URL, { poolMax: 4 })
const app = await ownApp(t, { EMAIL_VERIFICATION: 'off' }, database)
const { db } = database
const { post } = clientOf(app)
const folder = temporaryFolder(t)
let files = 0
const fileOf = (...lines: object[]) => {
  const file = path.join(folder, `${++files}.ndjson`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
const run = (...args: string[]) =>
  portal(['import', 'users', ...args], { env: { DATABASE_URL, NODE_ENV: 'development' } })

/** Imports one line with a mapping, and returns it with the result. */
async function mapped(...lines: object[]) {
  const mapping = path.join(folder, `${++files}.map`)
  const result = await run(fileOf(...lines), '--mapping', mapping)
  return { ...result, ids: linesOf(mapping) }
}
const userOf = async (email: string) =>
  (await db.select().from(users).where(eq(users.emailNormalized, email)))[0]
const recordOf = async (email: string) => {
  const found = await userOf(email)
  const [row] = await db
    .select()
    .from(activity)
    .where(eq(activity.targetId, found?.id ?? ''))
    .orderBy(desc(activity.at))
  return row
}

t.test('a mapping does not lead to an account that a stranger has registered', async (t) => {
  const email = freshEmail()
  await post('/api/auth/register', { email, password, name: 'Stranger' })
  t.ok(await userOf(email))
  const line = {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    email,
    name: 'Ada',
    emailVerified: true
  }
  const other = freshEmail()
  const found = await mapped({ email: other, name: 'Bob', id: 'auth0|2' }, line)
  t.match(found, {
    code: 1,
    stderr: /line 2: An account with this address exists, and the address is not confirmed/
  })
  t.match(
    found.stderr,
    /imported 1, skipped 0 existing and 1 with an unconfirmed address, rejected 0/
  )
  t.match(found.ids, [{ oldId: 'auth0|2' }])
  t.equal(found.ids.length, 1)
  t.match(await run(fileOf(line), '--json', '--dry-run'), {
    code: 1,
    stdout:
      '{"created":0,"skipped":0,"unproved":1,"bad":0,"secondFactorsLeftOut":0,' +
      '"withoutPassword":0,"leftOut":{}}\n'
  })
})

t.test('a mapping leads to accounts that are proved', async (t) => {
  const known = await confirmed(database, await aUser(database))
  const same = await aUser(database)
  const found = await mapped(
    { id: 'auth0|1', email: known.email, name: 'Ada' },
    { id: same.id, email: same.email, name: 'Bob' }
  )
  t.equal(found.code, 0, found.stderr)
  t.same(found.ids, [
    { oldId: 'auth0|1', id: known.id },
    { oldId: same.id, id: same.id }
  ])
})

t.test('a repeated import maps those whom it has created, until they move', async (t) => {
  const [email, moved] = [freshEmail(), freshEmail()]
  const line = { id: 'auth0|9', email, name: 'Ada' }
  const first = await mapped(line)
  t.same((await mapped(line)).ids, first.ids)
  await db
    .update(users)
    .set({ email: moved, emailNormalized: moved })
    .where(eq(users.emailNormalized, email))
  const found = await mapped({ ...line, id: 'auth0|10', email: moved })
  t.match(found, { code: 1, ids: [] })
})

t.test('an account that somebody else has created is not proved by its record', async (t) => {
  const { call } = await aCaller(app, 'admin')
  const email = freshEmail()
  const made = await call('POST', '/api/admin/users', { email, name: 'Ada' })
  t.equal(made.statusCode, 201, made.body)
  t.match(await recordOf(email), { action: 'user.create', details: { email } })
  t.match(await mapped({ id: 'auth0|11', email, name: 'Ada' }), { code: 1, ids: [] })
})

t.test('an address that is kept for somebody since an import began is left out', async (t) => {
  const roles = await readRoleIds(db)
  const [kept, free] = [freshEmail(), freshEmail()]
  const lines = [kept, free].map((email) =>
    prepareUser({ email, name: 'Ada' }, { roles, providerOf: () => undefined })
  )
  const { id } = await aUser(database)
  const user = { id, email: kept, emailNormalized: kept }
  await createRevert(db, { purpose: 'email-revert', user, since: new Date() })
  const made = await importUsers(db, operator, {
    ...{ users: lines, roles, sealing: app.context.sealing }
  })
  t.same(made, [lines[1]])
  t.equal(await userOf(kept), undefined)
  t.ok(await userOf(free))
})

t.test('users who appear during an import are in the mapping as well', async (t) => {
  const roles = await readRoleIds(db)
  const email = freshEmail()
  const mapping = path.join(folder, `${++files}.map`)
  const read = (value: unknown) =>
    prepareUser(value as Parameters<typeof prepareUser>[0], {
      roles,
      providerOf: () => undefined
    })
  // Judged before another import has committed: its insertion waits for that one.
  const rival = read({ id: 'b|1', email, name: 'Ada', emailVerified: true })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let inserted = () => {}
  const isInserted = new Promise<void>((resolve) => {
    inserted = resolve
  })
  const other = db.transaction(async (tx) => {
    await tx.insert(users).values(rival.user)
    inserted()
    await held
  })
  await isInserted
  const importing = importFile(
    { db, actor: operator, sealing: app.context.sealing },
    fileOf({ id: 'a|1', email, name: 'Ada' }),
    { read, roles, mapping }
  )
  await until(async () => (await waitingForLocks(db)) > 0)
  release()
  await other
  t.match(await importing, { created: 0, skipped: 1, unproved: 0, bad: 0 })
  t.same(linesOf(mapping), [{ oldId: 'a|1', id: rival.user.id }])
})

t.test('what an import grants is on record', async (t) => {
  const role = await aRole(database, 'users:read')
  const [email, plain] = [freshEmail(), freshEmail()]
  await run(
    fileOf(
      { email, name: 'Ada', roles: [role, 'admin'], status: 'deactivated' },
      { email: plain, name: 'Bob', roles: ['user'] }
    )
  )
  t.same((await recordOf(email))?.details, {
    email,
    grantedRoles: [role, 'admin'],
    status: 'deactivated'
  })
  t.same((await recordOf(plain))?.details, { email: plain })
})

t.test('an id that a service has is not given to a user', async (t) => {
  const service = await createService(db, operator, { key: 'importing', name: 'Importing' })
  const found = await run(fileOf({ id: service.id, email: freshEmail(), name: 'Ada' }))
  t.match(found, { code: 1, stderr: /line 1: .*A service has this id/ })
})

t.test('Nil and Max UUID are replaced like ids that are not UUIDs', async (t) => {
  const special = ['0', 'f'].map((digit) => '8-4-4-4-12'.replace(/\d+/g, (n) => digit.repeat(+n)))
  const lines = special.map((id) => ({ id, email: freshEmail(), name: 'Ada', emailVerified: true }))
  const found = await mapped(...lines)
  t.equal(found.code, 0, found.stderr)
  for (const { email, id } of lines) t.not((await userOf(email))?.id, id)
})
