import type { Test } from 'tap'
import type { Config } from '../../../../src/config/config.ts'
import type { ProofChallenge } from '../../../../src/problems/challenges.ts'
import { freshEmail, ownApp, password } from '../../../support/app.ts'

export type App = Awaited<ReturnType<typeof ownApp>>

/** An application where one call may cause mail without a proof, and then each needs one. */
export const strict = (t: Test, changes: Partial<Config> = {}, database?: App['database']) =>
  ownApp(
    t,
    {
      EMAIL_VERIFICATION: 'required',
      THROTTLE_MAIL_UNPROVED: { burst: 1, seconds: 999_999 },
      ...changes
    },
    database
  )

export const register = (app: App, email: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    headers,
    payload: { email, password, name: 'Ada' }
  })

/** Uses up the call that needs no proof. */
export async function crowded(t: Test, changes: Partial<Config> = {}) {
  const app = await strict(t, changes)
  t.match((await register(app, freshEmail())).statusCode, /^20[12]$/)
  return app
}

/** A challenge for a registration with this address. */
export async function challengeFor(app: App, email: string) {
  const response = await register(app, email)
  return response.json<{ challenge: ProofChallenge }>().challenge
}
