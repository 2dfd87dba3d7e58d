import t from 'tap'
import { aCaller, aUser, password } from '../support/app.ts'
import { attemptsOn, deviceOf, statuses, times, use } from './attempts.ts'

const { app, anAddress, login, aDevice } = await attemptsOn(t)

t.test(
  'many addresses share the limit of an account, while its owner signs in from a known device',
  async (t) => {
    const { email } = await aUser(app.database)
    const cookie = await aDevice(email)
    await use(t, statuses(times(50, () => login({ email, ip: anAddress() }))), 12, 50)
    t.equal(
      (await login({ email, password, ip: anAddress() })).statusCode,
      429,
      'without a known device'
    )
    t.equal((await login({ email, password, ip: anAddress(), cookie })).statusCode, 200)
  }
)

t.test(
  'a user who shares an address with an attacker can sign in from a known device',
  async (t) => {
    const { email } = await aUser(app.database)
    const cookie = await aDevice(email)
    const ip = anAddress()
    await use(t, statuses(times(20, () => login({ email, ip }))), 10, 20)
    t.equal((await login({ email, password, ip, cookie })).statusCode, 200)
  }
)

t.test('a known device has a limit as well', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  await use(t, statuses(times(20, () => login({ email, ip: anAddress(), cookie }))), 10, 20)
})

t.test(
  'a device cookie is valid for its own account, until the password changes, and if unchanged',
  async (t) => {
    const {
      user: { email },
      call
    } = await aCaller(app)
    const cookie = await aDevice(email)
    const foreign = await aDevice((await aUser(app.database)).email)
    await use(t, statuses(times(12, () => login({ email, ip: anAddress() }))), 12, 12)
    const from = (cookie: string, password: string) =>
      login({ email, password, ip: anAddress(), cookie })
    t.equal((await from(foreign, password)).statusCode, 429, "another account's")
    for (const forged of [
      `${cookie}x`,
      cookie.replace(/.$/, cookie.endsWith('A') ? 'g' : 'A'),
      cookie.replace(/=(.)/, (_, first) => (first === '_' ? '=A' : '=_')),
      `${cookie}; ${cookie}`,
      'portal_device=',
      'portal_device=.'
    ]) {
      t.equal((await from(forged, password)).statusCode, 429, forged.slice(-30))
    }
    t.equal((await from(cookie, password)).statusCode, 200)
    const changed = await call('PUT', '/api/user/password', {
      currentPassword: password,
      newPassword: 'another horse battery'
    })
    t.equal(
      (await from(cookie, 'another horse battery')).statusCode,
      429,
      'after a password change'
    )
    t.equal(
      (await from(deviceOf(changed), 'another horse battery')).statusCode,
      200,
      'but for the browser that changed it'
    )
  }
)
