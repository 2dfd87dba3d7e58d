import { randomBytes, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { passkeys, totp } from '../../db/schema/second-factors.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { replaceRecoveryCodes } from '../../src/domain/factors/recovery-codes.ts'
import { actorOf } from '../support/actors.ts'
import { activityOf, aUser, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const ACCOUNT_URL = 'https://app.example.com/account'
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64url')}`
const env = { DATABASE_URL: url, ACCOUNT_URL, BCRYPT_COST: '10' }
const { run, ok, json } = runner({ ...env, SECRET_KEYS })
const inDatabase = visitor(url)

/** A user with an authenticator app and recovery codes. */
const anEquippedUser = (email: string) =>
  inDatabase(async (database) => {
    const { db } = database
    const user = await aUser(database, email)
    const { sessionId } = await actorOf(database, user)
    await db
      .insert(totp)
      .values({ userId: user.id, secret: randomBytes(40), confirmedAt: sql`now()` })
    await db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
    await replaceRecoveryCodes(db, user.id)
    return { ...user, sessionId }
  })
const finding = async (check: string) =>
  json(await run('doctor --json')).find((each: { check: string }) => each.check === check)

t.test('a role is created and updated with the requirement of a second factor', async (t) => {
  const created = await ok(t, 'role create auditor --name Auditor --second-factor required --json')
  t.match(json(created), { requiresSecondFactor: true })
  t.match((await ok(t, 'role list')).stdout, /^auditor .* required +0$/m)
  const updated = await ok(t, 'role update auditor --second-factor not-required')
  t.match(updated.stdout, /^requires second factor +false$/m)
  t.match(json(await ok(t, 'role update admin --second-factor required --json')), {
    key: 'admin',
    requiresSecondFactor: true
  })
  t.match((await ok(t, 'role show admin')).stdout, /^requires second factor +true$/m)
  t.match(await run('role update admin --second-factor on'), {
    code: 2,
    stderr: /Allowed choices are required, not-required/
  })
  await ok(t, 'role update admin --second-factor not-required')
})

t.test('enrolment-link prints a link where one is needed', async (t) => {
  const { id } = await inDatabase((database) => aUser(database, 'ada@example.com'))
  t.match(await run('user enrolment-link ada@example.com'), {
    code: 4,
    stdout: '',
    stderr: /^The user needs no link/
  })
  await ok(t, 'role create strict --name Strict --second-factor required')
  await ok(t, 'user grant ada@example.com strict')
  const { stdout, stderr } = await ok(t, 'user enrolment-link ada@example.com --hours 2')
  const [, token = ''] =
    /^https:\/\/app\.example\.com\/account\/enrol\?token=([\w-]{43})\n$/.exec(stdout) ?? []
  t.notOk(stderr.includes(token) || token === '', 'the link is printed once')
  t.match(stderr, /^Valid until .* It lets the user set up the first second factor/)
  const [row] = await inDatabase(({ db }) => db.select().from(tokens).where(eq(tokens.userId, id)))
  t.match(row, { purpose: 'factor-enrolment', email: null })
  const seconds = (Number(row?.expiresAt) - Number(row?.createdAt)) / 1000
  t.ok(Math.abs(seconds - 7200) < 600, `${seconds} s`)
  t.match((await inDatabase((database) => activityOf(database, id)))[0], {
    action: 'user.enrolment-link',
    actorType: 'cli',
    details: {}
  })
  await ok(t, 'user deactivate ada@example.com')
  t.match(await run('user enrolment-link ada@example.com'), {
    code: 4,
    stderr: /^The user is deactivated/
  })
})

t.test('doctor counts the members without a second factor', async (t) => {
  t.equal(await finding('role guarded'), undefined)
  await ok(t, 'role create guarded --name Guarded --second-factor required')
  t.match(await finding('role guarded'), { result: 'ok', finding: /0 of 0/ })
  const withFactor = await anEquippedUser('grace@example.com')
  const bare = await inDatabase((database) => aUser(database, 'bare@example.com'))
  for (const { id } of [withFactor, bare]) await ok(t, `user grant ${id} guarded`)
  t.match(await finding('role guarded'), {
    result: 'warning',
    finding: /1 of 2/,
    todo: /portal user enrolment-link/
  })
  await ok(t, `user deactivate ${bare.id}`)
  t.match(await finding('role guarded'), { result: 'ok', finding: /1 of 1/ })
})

t.test('a requirement and a grant name the second factors that members have', async (t) => {
  await ok(t, 'role create vault --name Vault')
  const { id } = await anEquippedUser('mary@example.com')
  const passkey = {
    id: randomUUID(),
    userId: id,
    credentialId: randomBytes(16),
    publicKey: randomBytes(32),
    algorithm: -8,
    counter: 0,
    aaguid: randomUUID(),
    deviceType: 'multi',
    backedUp: true,
    rpId: 'localhost',
    name: 'Phone',
    createdAt: new Date(Date.now() - 3 * 86_400_000)
  } as const
  await inDatabase(({ db }) => db.insert(passkeys).values(passkey))
  const plain = await ok(t, 'user grant mary@example.com vault')
  t.notMatch(plain.stderr, 'passkey')
  const lines = new RegExp(
    [
      '^With these second factors, members can use the role.*',
      '  mary@example.com: authenticator app, set up in the last 24 hours \\(20.*\\)',
      '  mary@example.com: passkey "Phone", set up 3 days ago \\(20.*\\)$'
    ].join('\n'),
    'm'
  )
  t.match((await ok(t, 'role update vault --second-factor required')).stderr, lines)
  t.match((await ok(t, 'user grant mary@example.com vault')).stderr, lines)
  const other = await inDatabase((database) => aUser(database, 'dorothy@example.com'))
  t.notMatch((await ok(t, `user grant ${other.id} vault`)).stderr, 'mary@example.com')
})

t.test('reset-second-factor removes all factors and ends all sessions', async (t) => {
  const { id, sessionId } = await anEquippedUser('hedy@example.com')
  t.match(json(await ok(t, 'user show hedy@example.com --json')), {
    secondFactor: true,
    hasPassword: true,
    totpSince: /^20/,
    passkeys: 0,
    recoveryCodesLeft: 10,
    secondFactorRequiredBy: []
  })
  t.match((await ok(t, 'user show hedy@example.com')).stdout, /^recovery codes left +10$/m)
  const without = runner(env)
  t.match(await without.run('user reset-second-factor hedy@example.com'), {
    code: 1,
    stderr: /SECRET_KEYS/
  })
  const { stderr } = await ok(t, 'user reset-second-factor hedy@example.com')
  t.match(stderr, /signs in with the password alone/)
  t.match(json(await ok(t, 'user show hedy@example.com --json')), {
    secondFactor: false,
    totpSince: null,
    recoveryCodesLeft: 0
  })
  const [session] = json(await ok(t, 'session list --user hedy@example.com --json'))
  t.match(session, { id: sessionId, revokeReason: 'second-factor' })
  const [record] = await inDatabase((database) => activityOf(database, id))
  t.match(record, {
    action: 'user.second-factor-reset',
    actorType: 'cli',
    details: { revoked: 1 }
  })
  t.equal((await run('user reset-second-factor nobody@example.com')).code, 3)
})

t.test('factors are listed, and one of them is removed', async (t) => {
  const { id } = await anEquippedUser('rosalind@example.com')
  const { stdout, stderr } = await ok(t, 'user factors rosalind@example.com')
  t.match(stdout, /^authenticator app +- +20\S+ +- +totp$/m)
  t.match(stderr, 'recovery codes left: 10')
  t.match(await run('user remove-factor rosalind@example.com phone'), {
    code: 2,
    stderr: /totp or the id of a passkey/
  })
  t.equal((await run(`user remove-factor rosalind@example.com ${randomUUID()}`)).code, 3)
  await ok(t, 'user remove-factor rosalind@example.com totp')
  t.match(json(await ok(t, 'user factors rosalind@example.com --json')), {
    secondFactor: false,
    totp: null,
    recoveryCodes: null
  })
  const [record] = await inDatabase((database) => activityOf(database, id))
  t.match(record, { action: 'user.totp-remove', actorType: 'cli', details: { required: false } })
})
