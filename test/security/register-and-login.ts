import type { Test } from 'tap'
import { freshEmail, testApp } from '../support/app.ts'

/** A server with the calls that register with a password and sign in with one. */
export async function registerAndLoginOn(t: Test) {
  const app = await testApp(t)
  /** Returns the status of the response. */
  const login = async (email: string, secret: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email, password: secret }
      })
    ).statusCode
  const register = (secret: string, changes: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: freshEmail(), password: secret, name: 'Ada Lovelace', ...changes }
    })
  return { app, login, register }
}
