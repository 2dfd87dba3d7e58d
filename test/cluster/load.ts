import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { password } from '../support/app.ts'
import type { Call } from '../resilience/people.ts'

/** Milliseconds between the requests of a client. */
const pause = 200

async function register(call: Call) {
  for (;;) {
    const email = `${randomUUID()}@example.com`
    const body = { email, password, name: 'Ada' }
    const made = await call('POST', '/api/auth/register', { body }).catch(() => undefined)
    if (made?.status === 201) return email
    await sleep(pause)
  }
}

async function signIn(call: Call, email: string) {
  for (;;) {
    const login = await call('POST', '/api/auth/login', { body: { email, password } }).catch(
      () => undefined
    )
    if (login?.status === 200 && login.cookie) return login.cookie
    await sleep(pause)
  }
}

/** A client of one instance that changes its name over and over, and when that was acknowledged. */
export async function writer(call: Call) {
  const cookie = await signIn(call, await register(call))
  const acknowledged: { begun: number; at: number }[] = []
  const over = new AbortController()
  const running = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const begun = performance.now()
      const body = { name: `Ada ${i}` }
      const answer = await call('PUT', '/api/user/name', { cookie, body }).catch(() => undefined)
      if (answer?.status === 200) acknowledged.push({ begun, at: performance.now() })
      await sleep(50)
    }
  })()
  return {
    /** Whether a change was acknowledged that was sent after this time. */
    wroteAfter: (time: number) => (acknowledged.at(-1)?.begun ?? 0) > time,
    /** Milliseconds from this time to the end of the longest pause between two changes since. */
    backAfter(time: number) {
      const before = acknowledged.findLastIndex(({ at }) => at <= time)
      const ends = acknowledged.slice(before).map(({ at }) => at)
      const pauses = ends.slice(1).map((at, i) => ({ at, length: at - (ends[i] ?? at) }))
      const [longest] = pauses.toSorted((one, other) => other.length - one.length)
      return (longest?.at ?? time) - time
    },
    async stop() {
      over.abort()
      await running
    }
  }
}

/**
 * Clients that sign in, are seen by every instance, and end their sessions: with a logout, or by
 * revoking all others. A request that is not acknowledged is repeated. From the acknowledgement on,
 * every instance is asked about ended sessions all the time. `accepted` has those that were
 * accepted.
 */
export function endings(calls: readonly Call[], clients: number) {
  const ended: { cookie: string; how: string }[] = []
  const accepted: string[] = []
  const tally: Record<string, number> = {}
  let repeated = 0
  const over = new AbortController()
  const some: Call = (...request) => calls[randomInt(calls.length)]!(...request)

  const check = async (instance: number, { cookie, how }: (typeof ended)[number]) => {
    const answer = await calls[instance]?.('GET', '/api/auth/me', { cookie }).catch(() => undefined)
    const kind = String(answer?.status ?? 'lost')
    tally[kind] = (tally[kind] ?? 0) + 1
    if (kind === '200') accepted.push(`instance ${instance + 1}: a session that ended with ${how}`)
    return kind
  }
  /** Repeats a request until it is acknowledged. */
  const end = async (cookie: string, how: string, ...request: Parameters<Call>) => {
    for (let tries = 1; ; tries++) {
      const answer = await some(...request).catch(() => undefined)
      if (answer?.status === 204) {
        if (tries > 1) repeated++
        const session = { cookie, how: tries > 1 ? `a repeated ${how}` : `a ${how}` }
        ended.push(session)
        await Promise.all(calls.map((_, instance) => check(instance, session)))
        return
      }
      if (answer?.status === 401) accepted.push(`the session that sends a ${how} was lost`)
      await sleep(pause)
    }
  }
  const client = async () => {
    const email = await register(some)
    while (!over.signal.aborted) {
      const [one, other] = [await signIn(some, email), await signIn(some, email)]
      for (const call of calls) {
        await call('GET', '/api/auth/me', { cookie: one }).catch(() => {})
        await call('GET', '/api/auth/me', { cookie: other }).catch(() => {})
      }
      await end(one, 'revocation', 'DELETE', '/api/user/sessions', { cookie: other })
      await end(other, 'logout', 'POST', '/api/auth/logout', { cookie: other })
      await sleep(pause)
    }
  }
  /** Asks about one of the latest every other time. */
  const watch = async (instance: number) => {
    for (let i = 0; !over.signal.aborted; i++) {
      const session = i % 2 ? ended.at(-1 - randomInt(10)) : ended[randomInt(ended.length + 1)]
      if (session) await check(instance, session)
      await sleep(20)
    }
  }
  const running = [
    ...Array.from({ length: clients }, client),
    ...calls.map((_, instance) => watch(instance))
  ]
  return {
    accepted,
    tally,
    count: () => ({ ended: ended.length, repeated }),
    async stop() {
      over.abort()
      await Promise.all(running)
    },
    /** Asks every instance about every session that ended. Returns other answers than 401. */
    async others() {
      const answers: string[] = []
      for (const session of ended) {
        const kinds = await Promise.all(calls.map((_, instance) => check(instance, session)))
        answers.push(...kinds.filter((kind) => kind !== '401'))
      }
      return answers
    }
  }
}
