import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import { freshEmail, onPglite, testDatabaseUrl, until } from '../support/app.ts'
import { startInstance } from './instances.ts'

// Requests of one address must not make an instance unready, or slow for others.

const connections = 1100
/** Milliseconds. */
const atRest = 5000
const underAttack = 20_000
const password = 'correct horse battery'
/** The limits of production, which the other checks disable. */
const limits = {
  THROTTLE_LOGIN_PAIR: '10/30',
  THROTTLE_LOGIN_SOURCE: '50/5',
  THROTTLE_LOGIN_ACCOUNT: '30/120',
  THROTTLE_LOGIN_DEVICE: '10/30'
}

for (const kind of ['one account', 'many accounts', 'made-up devices']) {
  const name = `${connections} connections of one address try wrong passwords for ${kind}`
  t.test(name, { skip: onPglite && 'one process only' }, async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const instance = await startInstance(t, { DATABASE_URL, TRUST_PROXY: '127.0.0.1', ...limits })
    await instance.ready()
    const others = await anotherUser(instance.base)
    await others.measure(1000) // the first requests of a process are slow
    const rest = await others.measure(atRest)
    const attack = startAttack(t, instance.port, kind)
    await until(() => (attack.answers()['429'] ?? 0) > connections)
    const before = attack.answers()
    const found = await others.measure(underAttack)
    const answers = JSON.stringify(difference(attack.answers(), before))
    t.comment(`answers to the attack in ${underAttack / 1000} s: ${answers}`)
    t.comment(`medians: own session: ${rest.session} ms at rest, ${found.session} ms under attack`)
    t.comment(`login from elsewhere: ${rest.login} ms at rest, ${found.login} ms under attack`)
    t.same(Object.keys(found.health), ['200'], 'the instance stays ready')
    t.same(found.failed, [], 'others are served')
    t.ok(found.session <= 5 * rest.session, 'a session check takes at most five times as long')
    t.ok(found.login <= 3 * rest.login, 'a login from elsewhere takes at most three times as long')
  })
}

/** A user with a session, and logins from new addresses. */
async function anotherUser(base: string) {
  let addresses = 0
  const post = (url: string, body: object) =>
    fetch(base + url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.100.${++addresses % 250}`
      },
      body: JSON.stringify(body)
    })
  const aUser = async () => {
    const email = freshEmail()
    await post('/api/auth/register', { email, password, name: 'Ada' })
    return () => post('/api/auth/login', { email, password })
  }
  const cookie = (await (await aUser())()).headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const login = await aUser() // a user whose sessions reach the limit

  return {
    /** Measures the requests of others for this time: medians in milliseconds, and all failures. */
    async measure(ms: number) {
      const over = performance.now() + ms
      const failed: string[] = []
      const health: Record<number, number> = {}
      const repeat = async (pause: number, ask: () => Promise<Response>) => {
        const times: number[] = []
        while (performance.now() < over) {
          const start = performance.now()
          const response = await ask()
          await response.arrayBuffer()
          times.push(performance.now() - start)
          const { status } = response
          if (status !== 200) failed.push(`${new URL(response.url).pathname} ${status}`)
          await sleep(pause)
        }
        return Math.round(median(times) * 10) / 10
      }
      const [session, signIn] = await Promise.all([
        repeat(20, () => fetch(`${base}/api/auth/me`, { headers: { cookie } })),
        repeat(200, login),
        repeat(100, async () => {
          const response = await fetch(`${base}/health`)
          health[response.status] = (health[response.status] ?? 0) + 1
          return response
        })
      ])
      return { session, login: signIn, health, failed }
    }
  }
}

function startAttack(t: Test, port: number, kind: string) {
  const script = path.join(import.meta.dirname, 'attack.js')
  const child = spawn(process.execPath, [script, String(port), String(connections), kind], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let last: Record<string, number> = {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as typeof last
  })
  t.teardown(() => child.kill('SIGKILL'))
  return { answers: () => last }
}

const difference = (now: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(now).map(([status, count]) => [status, count - (before[status] ?? 0)])
  )

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN
