import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { checkResponses } from '../support/contract.ts'
import { buildApp } from '../../src/app.ts'
import { aCaller, aUser, freshEmail, testDatabase } from '../support/app.ts'
import { withPasskey } from '../support/passkeys.ts'
import { aPendingLogin, aUserWithApp } from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'
import { requestsOf } from './requests.ts'
import type { Document, Request } from './requests.ts'

const numRuns = Number(process.env.FUZZ_REQUESTS ?? 400)
const endless = { burst: 900_000, seconds: 0.001 }

const database = await testDatabase(t)
const app = buildApp(
  testConfig({
    THROTTLE_LOGIN_PAIR: endless,
    THROTTLE_LOGIN_SOURCE: endless,
    THROTTLE_LOGIN_ACCOUNT: endless,
    THROTTLE_REGISTER: endless,
    THROTTLE_PASSWORD: endless,
    THROTTLE_SECOND_FACTOR: endless,
    THROTTLE_WRITES: endless
  }),
  { database }
)
const violations: string[] = []
checkResponses(app, (violation) => violations.push(violation))
t.teardown(() => app.close())
await app.ready()

type Caller = Pick<Awaited<ReturnType<typeof aCaller>>, 'cookie' | 'call'>
const make = {
  anonymous: async () => undefined,
  user: () => aCaller(app),
  /** With an authenticator app, a passkey, and a sign-in that waits for its second step. */
  secure: async () => {
    const caller = await withPasskey(t, await aUserWithApp(app))
    const login = await aPendingLogin(app.db, caller.user)
    return { ...caller, cookie: `${caller.cookie}; ${login}` }
  },
  admin: () => aCaller(app, 'admin')
}
const callers: Record<keyof typeof make, Caller | undefined> = {
  anonymous: undefined,
  user: await make.user(),
  secure: await make.secure(),
  admin: await make.admin()
}

/** Existing ids and keys by the name of the path parameter. */
async function known(path: string): Promise<string[]> {
  callers.admin ??= await make.admin()
  callers.secure ??= await make.secure()
  const list = async (url: string, field: 'id' | 'key', who: 'admin' | 'secure' = 'admin') => {
    const answer = await callers[who]?.call('GET', url)
    return answer?.statusCode === 200
      ? (answer.json().items.map((item: Record<string, string>) => item[field]) as string[])
      : []
  }
  const noun = path.split('/')[3] ?? ''
  if (path.startsWith('/ofrep')) return list('/api/admin/flags', 'key')
  if (noun === 'passkeys') return list('/api/user/passkeys', 'id', 'secure')
  return ['users', 'sessions', 'activity'].includes(noun)
    ? list(`/api/admin/${noun}`, 'id')
    : list(`/api/admin/${noun}`, 'key')
}

async function send(request: Request, who: keyof typeof make) {
  callers[who] ??= await make[who]()
  const names = Object.values(request.params).some((value) => typeof value === 'number')
    ? await known(request.path)
    : []
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.params[name] ?? ''
    return encode(typeof value === 'number' ? (names[value % names.length] ?? 'missing') : value)
  })
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const headers = { ...(callers[who] && { cookie: callers[who].cookie }), ...request.headers }
  const response = await app.inject({
    method: request.method as InjectOptions['method'] & 'GET',
    url: query ? `${path}?${query}` : path,
    headers,
    ...(request.body !== undefined && { payload: request.body })
  })
  // Replaces users who have lost their session or account.
  if (
    response.statusCode === 401 ||
    [...(response.headers['set-cookie'] ? [1] : [])].length > 0 ||
    (who === 'admin' && response.statusCode === 403)
  ) {
    callers[who] = undefined
  }
  return response
}
/** Encodes like a simple client: unpaired surrogates become U+FFFD. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

t.test(
  `${numRuns} valid and invalid requests generated from the document get declared responses and no failure`,
  async (t) => {
    await aUser(database, freshEmail())
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        requestsOf(app.swagger() as unknown as Document),
        fc.constantFrom('anonymous', 'user', 'secure', 'admin', 'admin'),
        async (request, who) => {
          const { statusCode, body } = await send(request, who)
          seen.set(
            `${Math.floor(statusCode / 100)}xx`,
            (seen.get(`${Math.floor(statusCode / 100)}xx`) ?? 0) + 1
          )
          if (statusCode >= 500) throw new Error(`${statusCode}: ${body}`)
          if (violations.length > 0) throw new Error(violations.splice(0).join('\n'))
        }
      ),
      { numRuns, interruptAfterTimeLimit: 1_100_000, markInterruptAsFailure: true }
    )
    t.comment(
      `answers: ${[...seen]
        .sort()
        .map(([status, count]) => `${count} ${status}`)
        .join(', ')}`
    )
    t.ok((seen.get('2xx') ?? 0) > numRuns / 10, 'a good part of them succeeded')
    t.ok((seen.get('4xx') ?? 0) > numRuns / 10, 'and a good part was refused')
  }
)
