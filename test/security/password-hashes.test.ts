import { createHmac } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { storedForm } from '../../src/domain/passwords/foreign-forms.ts'
import { aCaller, aUser, freshEmail, password, signedIn } from '../support/app.ts'
import { registerAndLoginOn } from './register-and-login.ts'

const { app, login, register } = await registerAndLoginOn(t)
const setHash = (id: string, passwordHash: string | null) =>
  app.db.update(users).set({ passwordHash }).where(eq(users.id, id))
const hashOf = async (id: string) =>
  (await app.db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, id)))[0]?.hash
const x72 = `a password of exactly 72 bytes, ${'xy'.repeat(20)}`

const equalToOthers: [what: string, real: string, twin: string][] = [
  ['cut at 72 bytes', `${x72}z`, x72],
  ['of 72 bytes with one more letter', x72, `${x72}z`],
  ['that differs after 72 bytes', `${x72}one`, `${x72}two`],
  ['that differs in bytes 71 and 72 only', `${'абвгд'.repeat(7)}ж`, `${'абвгд'.repeat(7)}з`],
  ['in other letter case', 'Correct Horse Battery', 'correct horse battery'],
  ['with a trailing space', 'correct horse battery', 'correct horse battery '],
  ['with a leading space', 'correct horse battery', ' correct horse battery'],
  ['with compatibility characters', 'correct horse battery ①', 'correct horse battery 1'],
  ['with a no-break space', 'correct horse battery', 'correct horse\u00a0battery']
]
for (const [what, real, twin] of equalToOthers) {
  t.test(`the password ${what} is another password`, async (t) => {
    const email = freshEmail()
    t.equal((await register(real, { email })).statusCode, 201)
    t.same([await login(email, real), await login(email, twin)], [200, 401])
  })
}

t.test('a password of exactly 72 bytes is compared to its end on every route', async (t) => {
  const { call, user } = await aCaller(app)
  t.equal(
    (await call('PUT', '/api/user/password', { currentPassword: password, newPassword: x72 }))
      .statusCode,
    204
  )
  const cookie = await signedIn(app, user.email, {}, x72)
  const currentPassword = `${x72}z`
  for (const [method, url, payload] of [
    ['PUT', '/api/user/password', { newPassword: 'another horse battery' }],
    ['PUT', '/api/user/email', { email: freshEmail() }],
    ['POST', '/api/user/deletion', {}]
  ] as const) {
    const response = await app.inject({
      method,
      url,
      headers: { cookie },
      payload: { currentPassword, ...payload }
    })
    t.equal(response.statusCode, 403, url)
  }
})

t.test(
  'an imported hash of a password over 72 bytes matches nothing and is never replaced',
  async (t) => {
    const { id, email } = await aUser(app.database)
    const truncated = await hash(`${x72}the end`, 4)
    await setHash(id, truncated)
    t.same([await login(email, `${x72}the end`), await login(email, `${x72}another`)], [401, 401])
    t.equal(await hashOf(id), truncated)
  }
)

t.test('an unmarked hash of 72 bytes is renewed from the bytes that were compared', async (t) => {
  const { id, email } = await aUser(app.database)
  await setHash(id, await hash(x72, 4))
  t.equal(await login(email, `${x72}z`), 401)
  t.equal(await login(email, x72), 200)
  t.match(await hashOf(id), /^h384:/)
  t.same([await login(email, x72), await login(email, `${x72}z`)], [200, 401])
})

t.test('composed and decomposed forms are the same password', async (t) => {
  const email = freshEmail()
  t.equal((await register('le caf\u00e9 cr\u00e8me', { email })).statusCode, 201)
  t.equal(await login(email, 'le cafe\u0301 cre\u0300me'), 200)
})

t.test(
  'the empty password, NUL and unpaired surrogates are different, although equal for bcrypt',
  async (t) => {
    const { id, email } = await aUser(app.database)
    await setHash(id, await hash('', 4))
    t.equal(await login(email, '\0'), 401)
    await setHash(id, await hash('ab', 4))
    t.equal(await login(email, 'ab\0ab'), 401)
    await setHash(id, await hash('\ufffdaaaaaaa', 4))
    t.same([await login(email, '\ud800aaaaaaa'), await login(email, '\udbffaaaaaaa')], [401, 401])
  }
)

t.test(
  'a digest entered as password matches nothing, so stolen digests do not sign in',
  async (t) => {
    const long = 'xyz'.repeat(30)
    const digest = createHmac('sha384', 'portal password').update(long).digest('base64')
    const { id, email } = await aUser(app.database)
    await setHash(id, `h384:${await hash(digest, 4)}`)
    t.same([await login(email, long), await login(email, digest)], [200, 401])
    await setHash(id, await hash(digest, 4))
    t.equal(await login(email, long), 401, 'without the mark it is an ordinary hash')
  }
)

t.test('a hash of another system signs in and is replaced', async (t) => {
  const { id, email } = await aUser(app.database)
  const foreign = (await hash(password, 4)).replace('$2b$', '$2y$')
  await setHash(id, foreign)
  t.equal(await login(email, password), 200)
  const [row] = await app.db.select().from(users).where(eq(users.id, id))
  t.match(row?.passwordHash, /^\$2b\$04\$/)
  t.equal(row?.credentialVersion, 1, 'and no other session ends by it')
})

const key = 'rqRM8zWcxqR5JgdNH2Ukv6ZDL0xynSbmRCDsePeFnOo' // of `password`, with Passlib
const pbkdf2 = storedForm(`$pbkdf2-sha256$10000$MDEyMzQ1Njc4OWFiY2RlZg$${key}`)

t.test('a hash of another function signs in once, and is replaced by one of bcrypt', async (t) => {
  const { id, email } = await aUser(app.database)
  await setHash(id, pbkdf2)
  for (const wrong of ['not this one', '', 'x'.repeat(200_000), `${password}\0`, '\ud800']) {
    t.not(await login(email, wrong), 200)
  }
  t.equal(await hashOf(id), pbkdf2, 'a wrong password replaces nothing')
  t.equal(await login(email, password), 200)
  t.match(await hashOf(id), /^\$2b\$04\$/)
  t.same([await login(email, password), await login(email, 'not this one')], [200, 401])
})

for (const broken of [
  pbkdf2.replace('f1:', 'f2:'),
  pbkdf2.replace('sha256', 'sha1'),
  `${pbkdf2}:more`,
  pbkdf2 + 'a'.repeat(512),
  '$2b$04$short',
  'plain',
  '$2b$99$' + 'a'.repeat(53),
  '$argon2id$v=19$m=1,t=1,p=1$x$y',
  'h384:h384:$2b$04$' + 'a'.repeat(53)
]) {
  t.test(`the database rejects ${broken.slice(0, 20)}… as a hash`, async (t) => {
    const { id } = await aUser(app.database)
    await t.rejects(setHash(id, broken))
  })
}

t.test('no response contains a hash', async (t) => {
  const { call, user } = await aCaller(app, 'admin')
  for (const url of [
    '/api/auth/me',
    '/api/user/profile',
    '/api/user/sessions',
    '/api/user/activity',
    `/api/admin/users/${user.id}`,
    '/api/admin/users',
    '/api/admin/sessions',
    '/api/admin/activity'
  ]) {
    const { statusCode, body } = await call('GET', url)
    t.equal(statusCode, 200, url)
    t.notMatch(body, /\$2[aby]\$|hash|credential/i, url)
  }
})
