import t from 'tap'
import { eq } from 'drizzle-orm'
import { activity } from '../../../../db/schema/activity.ts'
import { users } from '../../../../db/schema/users.ts'
import { freshEmail, password, testApp } from '../../../support/app.ts'
import { callOf, rejects } from '../../../support/scenarios.ts'

const app = await testApp(t)
const register = (payload: unknown) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    headers: { 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
  })
const valid = (changes: object = {}) => ({
  email: freshEmail(),
  password,
  name: 'Ada Lovelace',
  ...changes
})

t.test('registration creates an account without signing in', async (t) => {
  const input = valid({ name: '  Zoe\u0308  ' })
  const response = await register(input)
  t.equal(response.statusCode, 201)
  t.match(response.json(), {
    user: { email: input.email, name: 'Zoë', theme: 'system', status: 'active', roles: ['user'] }
  })
  t.equal(response.headers['set-cookie'], undefined)
  t.notMatch(response.body, /token|password|\$2b\$/)
})

t.test(
  'a name that shows nothing is rejected, and one that joins its letters is not',
  async (t) => {
    for (const name of [
      '\u3164',
      '\u200b',
      '\u2800',
      '\u00ad \u2060',
      '\u115f',
      '\ufe0f',
      '\u{e0020}'
    ]) {
      t.match((await register(valid({ name }))).json(), {
        status: 400,
        errors: [{ pointer: '/name', code: 'too-short', message: 'Must not be blank' }]
      })
    }
    for (const name of [
      '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u0301'
    ]) {
      t.match((await register(valid({ name }))).json(), { user: { name } })
    }
  }
)

t.test('only a bcrypt hash of the password with the configured cost is stored', async (t) => {
  const input = valid()
  await register(input)
  const [row] = await app.db.select().from(users).where(eq(users.email, input.email))
  t.match(row?.passwordHash, /^\$2b\$04\$/)
  t.notOk(JSON.stringify(row).includes(password))
})

t.test('registration is recorded with the new user as actor', async (t) => {
  const { user } = (await register(valid())).json()
  t.match(await app.db.select().from(activity).where(eq(activity.targetId, user.id)), [
    {
      action: 'auth.register',
      outcome: 'success',
      actorType: 'user',
      actorId: user.id,
      actorLabel: user.email,
      targetType: 'user'
    }
  ])
})

t.test(
  'a registered e-mail address is rejected in any letter case, which is recorded',
  async (t) => {
    const input = valid()
    await register(input)
    const response = await register({ ...input, email: input.email.toUpperCase() })
    t.equal(response.statusCode, 409)
    t.match(response.json(), { code: 'email-taken', type: '/problems/email-taken' })
    const [record] = await app.db
      .select()
      .from(activity)
      .where(eq(activity.requestId, response.headers['x-request-id'] as string))
    t.match(record, {
      action: 'auth.register',
      outcome: 'failure',
      reason: 'email-taken',
      actorType: 'anonymous'
    })
  }
)

t.test('a mistake is rejected by name, without repeating it', async (t) => {
  const bodies: string[] = []
  const call = async (...args: Parameters<ReturnType<typeof callOf>>) => {
    const response = await callOf(app)(...args)
    bodies.push(response.body.replace(/urn:uuid:[\w-]+/, '')) // the request id is random
    return response
  }
  const email = (text: unknown) => valid({ email: text })
  const name = (text: string) => valid({ name: text })
  const secret = (text: unknown) => valid({ password: text })
  await rejects(t, call, 'POST /api/auth/register', [
    ['a number as password', secret(12345678), '/password wrong-type'],
    ['an array as e-mail address', email(['a@example.com']), '/email wrong-type'],
    ['an array as body', [], ' wrong-type'],
    ['an unknown property', valid({ roles: ['admin'] }), ' unknown-property'],
    ['no name', { email: freshEmail(), password }, '/name required'],
    ['an empty name', name(''), '/name too-short'],
    ['a blank name', name('   '), '/name too-short'],
    ['a name of 81 characters', name('x'.repeat(81)), '/name too-long'],
    ['a name of 257 characters', name('x'.repeat(257)), '/name too-long'],
    ['NUL in a name', name('a\0b'), '/name invalid-characters'],
    ['an unpaired surrogate in a name', name('a\ud800'), '/name invalid-characters'],
    ['a bidirectional control character', name('a\u202eb'), '/name invalid-characters'],
    ['an invalid e-mail address', email('ada'), '/email invalid-email'],
    ['NUL in an address', email('a\0@example.com'), '/email invalid-characters'],
    ['half a character', email('a@ex\udc00ample.com'), '/email invalid-characters'],
    ['255 characters', email(`${'a'.repeat(243)}@example.com`), '/email too-long'],
    ['a password of 7 characters', secret('x7%kq2!'), '/password too-short'],
    ['a password of 129 characters', secret('x'.repeat(129)), '/password too-long'],
    ['a password of 513 characters', secret('x'.repeat(513)), '/password too-long'],
    ['NUL in a password', secret('correct\0horse'), '/password invalid-characters'],
    ['half a character', secret('correct horse \ud800'), '/password invalid-characters']
  ])
  t.notMatch(bodies.join(), /roles|x7%kq2|xxxx|aaaa/)
  t.match((await register('')).json(), {
    status: 400,
    errors: [{ pointer: '', code: 'wrong-type' }]
  })
})

t.test('closed registration is rejected for every caller', async (t) => {
  const closed = await testApp(t, { REGISTRATION: 'closed' })
  const response = await closed.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: valid()
  })
  t.equal(response.statusCode, 403)
  t.match(response.json(), { code: 'registration-closed' })
})

t.test(
  'a password of 128 characters outside ASCII signs in, and its first 72 bytes do not',
  async (t) => {
    const input = valid({ password: 'абвгд'.repeat(25) + 'жзи' })
    t.equal((await register(input)).statusCode, 201)
    const login = (attempt: string) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: input.email, password: attempt }
      })
    t.equal((await login('абвгд'.repeat(25) + 'жзи')).statusCode, 200)
    t.equal((await login(('абвгд'.repeat(25) + 'жзи').slice(0, 36))).statusCode, 401)
    t.equal((await login('абвгд'.repeat(25) + 'жз')).statusCode, 401)
  }
)
