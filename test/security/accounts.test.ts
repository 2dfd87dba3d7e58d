import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { aCaller, aUser, freshEmail, password, testApp } from '../support/app.ts'
import { userPermissions } from '../support/permissions.ts'

const app = await testApp(t)
const register = (email: string, changes: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password, name: 'Ada', ...changes }
  })
const login = (email: string, secret = password) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: secret } })
const long = (letters: number) => 'x'.repeat(letters)

const addresses = [
  'ada',
  'ada@',
  '@example.com',
  'ada@@example.com',
  'ada@example',
  'ada@localhost',
  'ada@example.com.',
  'ada@.example.com',
  'ada@example..com',
  'ada@-example.com',
  'ada@example-.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  '"ada"@example.com',
  '"a b"@example.com',
  'ada(comment)@example.com',
  'Ada <ada@example.com>',
  'ada@[192.0.2.1]',
  'ada@192.0.2.1',
  'ada@[IPv6:::1]',
  ' ada@example.com',
  'ada@example.com ',
  'a da@example.com',
  'ada@exa mple.com',
  'ada@example.com,eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\0',
  'ada@example.com%00',
  'ada@example.com/..',
  'ada@example.com?x=1',
  'ada@example.com#x',
  'ada@ex%61mple.com',
  'ada@exam\tple.com',
  'ada@ex\\ample.com',
  'ada@example.com:80',
  'ada@exa_mple.com',
  'аda@example.com',
  'ada\u212a@example.com',
  'İda@example.com',
  'ada\u200b@example.com',
  'ada\u202e@example.com',
  `${long(65)}@example.com`,
  `ada@${long(64)}.com`,
  `ada@${`${long(62)}.`.repeat(4)}com`,
  'mailto:ada@example.com',
  "' or 1=1 --@example.com",
  '<script>@example.com'
]
for (const email of addresses) {
  t.test(
    `${JSON.stringify(email.length > 70 ? `${email.slice(0, 70)}…` : email)} is rejected as an e-mail address`,
    async (t) => {
      const response = await register(email)
      t.equal(response.statusCode, 400)
      t.match(response.json().errors, [{ pointer: '/email' }])
      t.equal((await login(email)).statusCode, 400)
    }
  )
}

t.test('an e-mail address has one account, in any spelling', async (t) => {
  const local = randomUUID()
  t.equal((await register(`${local}@bücher.example`)).statusCode, 201)
  for (const twin of [
    `${local.toUpperCase()}@bücher.example`,
    `${local}@BÜCHER.example`,
    `${local}@bu\u0308cher.example`,
    `${local}@xn--bcher-kva.example`,
    `${local}@XN--BCHER-KVA.EXAMPLE`,
    `${local}@bücher。example`
  ]) {
    t.equal((await register(twin)).statusCode, 409, twin)
    t.equal((await login(twin)).statusCode, 200, twin)
  }
})

t.test(
  'lookalike addresses, and addresses that only some mail hosts treat as equal, are different accounts',
  async (t) => {
    const local = randomUUID()
    for (const email of [
      `${local}@apple.example`,
      `${local}@аррle.example`,
      `${local}+x@apple.example`,
      `${local.replace('-', '.')}@apple.example`
    ]) {
      t.equal((await register(email)).statusCode, 201, email)
    }
  }
)

t.test('registration grants the role user only and returns nothing that signs in', async (t) => {
  const response = await register(freshEmail())
  t.match(response.json().user, {
    roles: ['user'],
    permissions: userPermissions,
    status: 'active'
  })
  t.equal(response.headers['set-cookie'], undefined)
  t.notMatch(response.body, /token|eyJ|\$2/)
})

t.test('registration with a session neither changes nor ends that session', async (t) => {
  const { call, user } = await aCaller(app)
  t.equal(
    (await call('POST', '/api/auth/register', { email: freshEmail(), password, name: 'Eve' }))
      .statusCode,
    201
  )
  t.equal((await call('GET', '/api/auth/me')).json().user.id, user.id)
})

t.test("other users' resources get the same response as unknown ones", async (t) => {
  const [mine, theirs] = [await aCaller(app), await aCaller(app)]
  const [session] = await app.db.select().from(sessions).where(eq(sessions.userId, theirs.user.id))
  const strip = ({ instance, ...problem }: { instance: string }) => problem
  const [foreign, missing] = [
    await mine.call('DELETE', `/api/user/sessions/${session?.id}`),
    await mine.call('DELETE', `/api/user/sessions/${randomUUID()}`)
  ]
  t.equal(foreign.statusCode, 404)
  t.same(strip(foreign.json()), strip(missing.json()))
  t.equal((await theirs.call('GET', '/api/auth/me')).statusCode, 200)
})

t.test('an id in the query or the body does not select another user', async (t) => {
  const [mine, theirs] = [await aCaller(app), await aCaller(app)]
  t.equal(
    (await mine.call('PUT', `/api/user/name?userId=${theirs.user.id}`, { name: 'Mallory' }))
      .statusCode,
    200
  )
  t.equal(
    (await mine.call('PUT', '/api/user/name', { name: 'Mallory', userId: theirs.user.id }))
      .statusCode,
    400
  )
  const [row] = await app.db.select().from(users).where(eq(users.id, theirs.user.id))
  t.equal(row?.name, 'Ada Lovelace')
})

t.test(
  'a login as another user replaces the session of the cookie, and the old token is invalid',
  async (t) => {
    const [mine, theirs] = [await aCaller(app), await aUser(app.database)]
    const response = await mine.call('POST', '/api/auth/login', { email: theirs.email, password })
    t.equal(response.json().user.id, theirs.id)
    t.equal((await mine.call('GET', '/api/auth/me')).statusCode, 401)
  }
)

for (const name of [
  '<script>alert(1)</script>',
  '{{7*7}}',
  "Robert'); drop table users;--",
  '${jndi:ldap://x}', // eslint-disable-line no-template-curly-in-string
  '=1+1',
  '%s%n%x',
  '../../etc/passwd',
  'Zo\u0308e'
]) {
  t.test(`the name ${name} is stored and returned as text`, async (t) => {
    const { call } = await aCaller(app)
    t.same((await call('PUT', '/api/user/name', { name })).json(), { name: name.normalize('NFC') })
    t.equal((await call('GET', '/api/auth/me')).json().user.name, name.normalize('NFC'))
  })
}

for (const name of [
  'a\0b',
  'a\nb',
  'a\u001b[31mb',
  'a\u0085b',
  'a\u009bb',
  'a\ud800',
  'a\u202eb',
  'a\u2066b',
  '\u00a0 ',
  ''
]) {
  t.test(`the name ${JSON.stringify(name)} is rejected`, async (t) => {
    const { call } = await aCaller(app)
    t.equal((await call('PUT', '/api/user/name', { name })).statusCode, 400)
  })
}

for (const url of [
  'javascript:alert(1)',
  'data:text/html,x',
  'http://example.com',
  '//example.com',
  'https://',
  'https://a b.example',
  'https://user:secret@example.com',
  'file:///etc/passwd',
  `https://example.com/${long(2048)}`
]) {
  t.test(`${url.slice(0, 40)} is not accepted as URL of an image or a website`, async (t) => {
    const { call } = await aCaller(app)
    for (const field of ['avatarUrl', 'website']) {
      t.equal((await call('PATCH', '/api/user/profile', { [field]: url })).statusCode, 400, field)
    }
  })
}
