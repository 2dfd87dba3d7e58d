// Not on PGlite: it is in the process.
// Takes about 60 s.

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { flags } from '../../db/schema/flags.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import {
  aCaller,
  aUser,
  freshEmail,
  onPglite,
  ownApp,
  password,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { delayingProxy } from '../support/delaying-proxy.ts'
import { aFlag } from '../support/flags.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'
import { withoutSlack } from '../support/slack.ts'
import { captureLog } from '../support/log-capture.ts'
import { noLimitsByAddress } from '../support/test-config.ts'

// Milliseconds for a round trip. With a second, session checks are over theirs. With less, the rest of
// a request meets its own limits.
const distances = [1000, 600, 300]
/** Milliseconds: the limit of fifteen seconds, and what a busy machine adds. */
const longest = 16_000

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>
interface Row {
  send(): Promise<Answer>
  /** The status of a refusal that does not come from the distance. */
  refused?: number
  /** Whether the change is in the database. */
  stored?(): Promise<boolean>
}

t.test(
  'however far away the database is, every answer comes within 15 s, and says whether it is stored',
  { skip: onPglite && 'it is in the process' },
  async (t) => {
    withoutSlack(t)
    const figures = await Promise.all(distances.map((ms) => answersAt(t, ms)))
    t.comment(JSON.stringify(figures, undefined, 2))
  }
)

async function answersAt(t: Test, roundTrip: number) {
  const acme = await startOidcProvider(t)
  const url = await testDatabaseUrl(t)
  const way = await delayingProxy(t, url)
  const near = await openDatabase(url, { poolMax: 2 })
  t.teardown(() => near.close())
  const changes = {
    ...noLimitsByAddress,
    providers: [configured.oidc(acme, { trustsEmail: 'claim' })]
  }
  const { log, output } = captureLog()
  const app = await ownApp(t, changes, await openDatabase(way.url, { poolMax: 40 }), log)
  const rows = {
    ...(await reads(app)),
    ...(await changesOf(app, near)),
    ...(await finish(app, near))
  }
  // All connections are open: opening one takes several round trips.
  await Promise.all(Array.from({ length: 40 }, () => app.db.execute(sql`select pg_sleep(0.3)`)))
  way.move(roundTrip)
  const answers = await Promise.all(
    Object.entries(rows).map(async ([name, row]: [string, Row]) => {
      const since = performance.now()
      const answer = await row.send()
      return { name, row, answer, took: performance.now() - since }
    })
  )
  // Work that goes on after an answer uses the database nearly all the time.
  let calm = 0
  await until(() => {
    calm = app.database.load() === 0 ? calm + 1 : 0
    return calm === 50
  })
  const figures = []
  for (const { name, row, answer, took } of answers) {
    const at = `${name} at ${roundTrip} ms`
    figures.push(`${at}: ${answer.statusCode} after ${Math.round(took)} ms`)
    // An export is a stream, whose first part comes earlier.
    if (name !== 'export') t.ok(took < longest, `${at} is answered after ${Math.round(took)} ms`)
    const location = String(answer.headers.location ?? '')
    const failed = answer.statusCode >= 400 || location.includes('problem=')
    if (answer.statusCode >= 400 && answer.statusCode !== row.refused && name !== 'health') {
      t.match(answer.headers['content-type'], 'application/problem+json', `${at}: a document`)
      t.match(answer.json(), { status: 503, code: /^(database-unavailable|overloaded)$/ }, at)
      t.ok(answer.headers['retry-after'], at)
    }
    if (row.stored) t.equal(await row.stored(), !failed, `${at}: stored, or an error`)
  }
  if (roundTrip >= 1000) t.match(output(), '"cause":"slow"', 'the log names the cause')
  return figures
}

let addresses = 0
/** Attempts from one address wait for each other. */
const anAddress = () => `203.0.113.${++addresses}`

/** A caller whose session is kept in memory: its next check takes one round trip. */
async function checkedCaller(app: FastifyInstance, ...roles: string[]) {
  const caller = await aCaller(app, ...roles)
  // A busy machine may exceed the limit of a check.
  await until(async () => (await caller.call('GET', '/api/auth/me')).statusCode === 200)
  return caller
}

async function reads(app: FastifyInstance): Promise<Record<string, Row>> {
  const { call, cookie } = await checkedCaller(app, 'admin')
  const key = await aServiceKey(app.database, await aService(app.database))
  const get = (url: string): Row => ({ send: () => call('GET', url) })
  return {
    health: get('/health'),
    options: get('/api/auth/options'),
    'session check': get('/api/auth/me'),
    'forward auth': {
      send: () =>
        app.inject({ url: '/api/auth/check', headers: { cookie, 'x-original-method': 'GET' } })
    },
    'optional session': get('/api/auth/session'),
    'own sessions': get('/api/user/sessions'),
    'own activity': get('/api/user/activity'),
    export: get('/api/user/export'),
    users: get('/api/admin/users'),
    'flags of an administrator': get('/api/admin/flags'),
    'audit trail': get('/api/admin/activity'),
    'evaluated flags': {
      send: () => call('POST', '/ofrep/v1/evaluate/flags', { context: { targetingKey: 'a' } })
    },
    'an API key': {
      send: () =>
        app.inject({
          url: '/api/machine/me',
          headers: { authorization: `Bearer ${key.secret}` }
        })
    },
    callback: get('/api/auth/providers/acme/callback?state=x&code=y')
  }
}

async function changesOf(app: FastifyInstance, near: Database): Promise<Record<string, Row>> {
  const { db } = near
  const [named, secret, leaving, target] = await Promise.all([
    checkedCaller(app),
    checkedCaller(app),
    checkedCaller(app),
    aUser(app.database)
  ])
  const [admin, other, owner] = await Promise.all([
    checkedCaller(app, 'admin'),
    checkedCaller(app, 'admin'),
    aUser(app.database)
  ])
  const email = freshEmail()
  const flag = aFlag()
  const ofUser = (id: string) => db.select().from(users).where(eq(users.id, id))
  const { passwordHash } = (await ofUser(secret.user.id))[0] ?? {}
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, payload, remoteAddress: anAddress() })
  return {
    login: {
      send: () => post('/api/auth/login', { email: owner.email, password }),
      stored: async () => (await db.$count(sessions, eq(sessions.userId, owner.id))) > 0
    },
    'login with a wrong password': {
      send: () => post('/api/auth/login', { email: target.email, password: 'wrong password' }),
      refused: 401
    },
    registration: {
      send: () => post('/api/auth/register', { email, password, name: 'Ada' }),
      stored: async () => (await db.$count(users, eq(users.email, email))) > 0
    },
    recovery: {
      send: () => post('/api/auth/recovery', { email: target.email }),
      stored: async () => (await db.$count(outbox, eq(outbox.kind, 'recovery'))) > 0
    },
    'change of name': {
      send: () => named.call('PUT', '/api/user/name', { name: 'Far Away' }),
      stored: async () => (await ofUser(named.user.id))[0]?.name === 'Far Away'
    },
    'change of password': {
      send: () =>
        secret.call('PUT', '/api/user/password', {
          currentPassword: password,
          newPassword: 'another horse battery'
        }),
      stored: async () => (await ofUser(secret.user.id))[0]?.passwordHash !== passwordHash
    },
    logout: {
      send: () => leaving.call('POST', '/api/auth/logout'),
      stored: async () =>
        (await db.$count(
          sessions,
          and(eq(sessions.userId, leaving.user.id), isNull(sessions.revokedAt))
        )) === 0
    },
    'new flag': {
      send: () => admin.call('POST', '/api/admin/flags', flag),
      stored: async () => (await db.$count(flags, eq(flags.key, flag.key))) > 0
    },
    'change by an administrator': {
      send: () => other.call('PATCH', `/api/admin/users/${target.id}`, { name: 'Moved' }),
      stored: async () => (await ofUser(target.id))[0]?.name === 'Moved'
    }
  }
}

async function finish(app: FastifyInstance, { db }: Database): Promise<Record<string, Row>> {
  const browser = aBrowser(app)
  const ip = anAddress()
  const { url = '' } = await begin(app, browser.jar, { key: 'acme', ip })
  const callback = await walk(url, 'nora')
  const returns: Row = {
    send: async () => (await comeBack(app, browser.jar, callback, ip)).response,
    stored: async () => (await db.$count(users, eq(users.email, 'nora.field@example.com'))) > 0
  }
  const { jar } = aBrowser(app)
  return {
    'sign-in with a provider': returns,
    'start with a provider': {
      send: async () => (await begin(app, jar, { key: 'acme', ip: anAddress() })).response
    }
  }
}
