import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { passkeys } from '../../db/schema/second-factors.ts'
import { users } from '../../db/schema/users.ts'
import { ownApp, password, testDatabaseUrl } from '../support/app.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { withPasskey } from '../support/passkeys.ts'
import { aUserWithApp } from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'

// Passkeys were added, and then the operator switched them off or changed the RP ID.

const { SECRET_KEYS } = testConfig()
const url = await testDatabaseUrl(t)
const start = async (changes: object) =>
  ownApp(t, { SECRET_KEYS, ...changes }, await openDatabase(url, { poolMax: 5 }))
const before = await start({})
const { db } = before
const off = await start({ PASSKEYS: 'off' })

/** Changes by an operator, and the instance that the user meets afterwards. */
const changes: Record<string, (user: { id: string }) => Promise<FastifyInstance>> = {
  'passkeys are off': async () => off,
  'the RP ID is another one': async ({ id }) => {
    await db.update(passkeys).set({ rpId: 'example.com' }).where(eq(passkeys.userId, id))
    return before
  }
}
const at =
  (app: FastifyInstance, cookie: string) =>
  (method: 'PUT' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
const signIn = (app: FastifyInstance, { email }: { email: string }) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })

for (const [event, change] of Object.entries(changes)) {
  t.test(`when ${event}, a passkey is not the factor that is left`, async (t) => {
    const { user, cookie } = await withPasskey(t, await aUserWithApp(before))
    t.same((await signIn(before, user)).json().methods, ['totp', 'passkey', 'recovery-code'])
    const app = await change(user)
    const removal = await at(app, cookie)('DELETE', '/api/user/totp')
    t.match([removal.statusCode, removal.body], [409, /last-second-factor/])
    const { methods } = (await signIn(app, user)).json()
    t.same(methods, ['totp', 'recovery-code'], 'nor is it offered')
  })

  t.test(`when ${event}, sign-ins cannot require a passkey`, async (t) => {
    const { user, cookie } = await withPasskey(t, await aConfirmedCaller(before))
    const app = await change(user)
    const required = { required: true }
    const refused = await at(app, cookie)('PUT', '/api/user/second-factor', required)
    t.match([refused.statusCode, refused.body], [409, /no-second-factor/])
    t.equal((await signIn(app, user)).statusCode, 200)

    await db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
    t.match((await signIn(app, user)).json(), { next: 'second-factor', methods: [] })
  })
}

t.test('a passkey that can be used is the factor that is left', async (t) => {
  const { cookie } = await withPasskey(t, await aUserWithApp(before))
  t.equal((await at(before, cookie)('DELETE', '/api/user/totp')).statusCode, 204)
})
