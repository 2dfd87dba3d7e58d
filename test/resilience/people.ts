import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  status: number
  /** The cookie of the session, or of a sign-in that waits for its second factor. */
  cookie: string | undefined
  body: string
  retryAfter: string | undefined
}

interface Sent {
  body?: object
  cookie?: string
  authorization?: string
  timeout?: number
}

/**
 * Sends a request over a kept-alive connection with the host of the cookies. Throws without a
 * response.
 */
export function caller(ports: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const call = (
    method: string,
    path: string,
    { body, cookie, authorization, timeout = 15_000 }: Sent = {}
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const text = body && JSON.stringify(body)
      const sent = request(
        {
          host: '127.0.0.1',
          port: ports(),
          agent,
          method,
          path,
          timeout,
          headers: {
            host: 'localhost',
            ...(cookie && { cookie }),
            ...(authorization && { authorization }),
            ...(text && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text)
            })
          }
        },
        (response) => {
          let received = ''
          response
            .setEncoding('utf8')
            .on('data', (chunk) => {
              received += chunk
            })
            .on('error', reject)
            .on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                cookie: response.headers['set-cookie']
                  ?.find((each) => /_(?:session|login)=[^;]/.test(each))
                  ?.split(';')[0],
                body: received,
                retryAfter: response.headers['retry-after']
              })
            )
        }
      )
      sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.end(text)
    })
  return { call, close: () => agent.destroy() }
}

export type Call = ReturnType<typeof caller>['call']

interface Person {
  email: string
  cookie: string
  name: string
  /** Sent without an acknowledgement, so it may be stored. */ maybe: string[]
  over: boolean
  maybeOver: boolean
}

/** The part of a tally that should be empty. */
export const failuresOf = (tally: Record<string, number>) =>
  Object.fromEntries(Object.entries(tally).filter(([kind]) => !/^2\d\d$/.test(kind)))

const password = 'correct horse battery'

/**
 * Simulates people who register, sign in, change their names, read them and sign out, with a ledger
 * of acknowledged changes. They start `apart` milliseconds after each other. `tally` counts
 * responses by status, `lost` requests without one.
 */
export function people(call: Call, count: number, { changes = 5, apart = 0 } = {}) {
  const known: Person[] = []
  const tally: Record<string, number> = {}
  const registered: string[] = []
  const wrong: string[] = []
  const over = new AbortController()

  const ask = async (...request: Parameters<Call>) => {
    const answer = await call(...request).catch(() => undefined)
    const kind = String(answer?.status ?? 'lost')
    tally[kind] = (tally[kind] ?? 0) + 1
    return answer
  }
  const live = async () => {
    const email = `${randomUUID()}@example.com`
    const made = await ask('POST', '/api/auth/register', { body: { email, password, name: 'Ada' } })
    if (made?.status !== 201) return sleep(20)
    registered.push(email)
    const login = await ask('POST', '/api/auth/login', { body: { email, password } })
    if (login?.status !== 200 || !login.cookie) return sleep(20)
    const person: Person = {
      email,
      cookie: login.cookie,
      name: 'Ada',
      maybe: [],
      over: false,
      maybeOver: false
    }
    known.push(person)
    const { cookie } = person
    for (let i = 0; i < changes && !over.signal.aborted; i++) {
      const name = `Ada ${i}`
      const changed = await ask('PUT', '/api/user/name', { cookie, body: { name } })
      if (changed?.status === 200) {
        person.name = name
        person.maybe = []
      } else person.maybe.push(name)
      const me = await ask('GET', '/api/auth/me', { cookie })
      if (me?.status === 200) {
        const seen = (JSON.parse(me.body) as { user: { name: string } }).user.name
        if (seen !== person.name && !person.maybe.includes(seen)) {
          wrong.push(`${email} is called ${seen}, not ${person.name}`)
        }
      } else if (me?.status === 401) wrong.push(`${email} was signed in and is not`)
    }
    if (Math.random() < 0.5) {
      const left = await ask('POST', '/api/auth/logout', { cookie })
      if (left?.status === 204) person.over = true
      else person.maybeOver = true
    }
  }
  const running = Array.from({ length: count }, async (_, i) => {
    await sleep(i * apart, undefined, { signal: over.signal }).catch(() => {}) // ends early when the run is over
    while (!over.signal.aborted) await live()
  })

  return {
    tally,
    wrong,
    registered,
    acknowledged: () => registered.length,
    async stop() {
      over.abort()
      await Promise.all(running)
    },
    /** Acknowledged changes that are missing, read with `call` after the run. */
    async missing(call: Call) {
      const missing = [...wrong]
      for (const person of known) {
        const me = await call('GET', '/api/auth/me', { cookie: person.cookie })
        const expected = person.over ? [401] : person.maybeOver ? [200, 401] : [200]
        if (!expected.includes(me.status)) {
          missing.push(`${person.email}: ${me.status} instead of ${expected.join(' or ')}`)
        }
        if (me.status !== 200) continue
        const { name } = (JSON.parse(me.body) as { user: { name: string } }).user
        if (name !== person.name && !person.maybe.includes(name)) {
          missing.push(`${person.email} is called ${name}, not ${person.name}`)
        }
      }
      const inside = new Set(known.map(({ email }) => email))
      for (const email of registered.filter((each) => !inside.has(each))) {
        const login = await call('POST', '/api/auth/login', { body: { email, password } })
        if (login.status !== 200) {
          missing.push(`${email} was registered and cannot sign in: ${login.status}`)
        }
      }
      return missing
    }
  }
}
