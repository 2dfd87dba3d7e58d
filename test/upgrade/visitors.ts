import type { Call } from '../resilience/people.ts'
import { password, passwordsOf } from '../support/app.ts'
import { answer } from '../support/authenticator.ts'
import type { RequestOptions } from '../support/authenticator.ts'
import { asked, codeOf, signIn, withApp, withPasskey } from './factors.ts'

// Users as clients see them, so that nothing depends on how a version stores them.

/** A session that must go on, and what the flag has been for its user since the beginning. */
interface Visitor {
  email: string
  id: string
  cookie: string
  flag: boolean
}
type Method = (begin: Call, complete: Call) => Promise<{ email: string; cookie: string }>

const userCount = 200
const emailOf = (n: number) => `user-${n}@example.com`

/** The lines of `portal import users`. Every tenth user has the role `support`. */
export async function userLines() {
  const passwordHash = await passwordsOf(10).hash(password)
  return Array.from({ length: userCount }, (_, n) =>
    JSON.stringify({
      email: emailOf(n),
      name: `Ada ${n}`,
      passwordHash,
      emailVerified: true,
      theme: n % 2 === 0 ? 'dark' : 'light',
      profile: { bio: `Person ${n}`, timeZone: 'Europe/London' },
      status: n > 190 ? 'deactivated' : 'active',
      roles: n % 10 === 0 ? ['support'] : []
    })
  ).join('\n')
}

export const flag = {
  key: 'new-checkout',
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  public: true,
  rules: [
    { when: { rolesAny: ['support'] }, serve: { variant: 'on' } },
    {
      when: {},
      serve: {
        split: [
          { variant: 'on', weight: 25_000 },
          { variant: 'off', weight: 75_000 }
        ]
      }
    }
  ]
}

/** Signs users in, gives some of them second factors, and has others ask for a link. */
export async function arrive(call: Call, visits: number) {
  const visitors = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => meet(call, await signIn(call, emailOf(n))))
  )
  const apps: string[] = []
  for (let n = 0; n < visits; n++) apps.push((await withApp(call, emailOf(100 + n))).secret)
  const { codes } = await withApp(call, emailOf(120))
  const passkey = await withPasskey(call, emailOf(130))
  for (let n = 140; n < 150; n++) {
    await asked(call('POST', '/api/auth/recovery', { body: { email: emailOf(n) } }), 202)
  }
  /** The ways to sign in, on the visit with this number. No code is used twice. */
  const methods = (visit: number): Method[] => [
    (begin) => signIn(begin, emailOf(30 + visit)),
    (begin, complete) => {
      // Later than the last code that was used, and within the tolerance.
      const code = codeOf(apps[visit] ?? '', Date.now() + 30_000)
      return signIn(begin, emailOf(100 + visit), { complete, factor: { code } })
    },
    (begin, complete) =>
      signIn(begin, emailOf(120), { complete, factor: { recoveryCode: codes[visit] ?? '' } }),
    async (begin, complete) => {
      const options = await asked<RequestOptions>(begin('POST', '/api/auth/passkey/options'))
      const body = { credential: answer(passkey, options.body) }
      const { cookie } = await asked(complete('POST', '/api/auth/passkey', { body }))
      return { email: emailOf(130), cookie }
    }
  ]
  return { visitors, methods, flags: visitors.map(({ flag }) => flag), forgetful: emailOf(140) }
}

/**
 * Signs in in every way, from one instance to the other, and looks at every session and the flag on
 * both, also in later visits. Throws when something is not as it was.
 */
export async function visit(
  { visitors, methods }: Awaited<ReturnType<typeof arrive>>,
  calls: readonly [Call, Call],
  number: number
) {
  for (const method of methods(number)) {
    visitors.push(await meet(calls[0], await method(...calls)))
  }
  for (const call of calls) {
    for (const { cookie, ...expected } of visitors) {
      const { cookie: _, ...found } = await meet(call, { email: expected.email, cookie })
      if (JSON.stringify(found) === JSON.stringify(expected)) continue
      throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
    }
  }
}

/** Reads what a session shows of its user. */
async function meet(call: Call, { email, cookie }: { email: string; cookie: string }) {
  const me = await asked<{ user: Visitor }>(call('GET', '/api/auth/me', { cookie }))
  const path = `/ofrep/v1/evaluate/flags/${flag.key}`
  const { body } = await asked<{ value: boolean }>(call('POST', path, { cookie, body: {} }))
  if (me.body.user.email !== email) throw new Error(`the session of ${email} is another user's`)
  return { email, id: me.body.user.id, flag: body.value, cookie }
}
