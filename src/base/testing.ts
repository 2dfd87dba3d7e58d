import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownAppFolder } from '../config/config.ts'
import { budgetNames } from '../config/budget-variables.ts'
import { grantRole } from '../domain/access/memberships.ts'
import { createRole } from '../domain/access/roles.ts'
import type { CommandLine } from '../domain/actor.ts'
import { randomId, randomText } from '../domain/crypto.ts'
import type { Permission } from '../domain/permissions.ts'
import { createUser } from '../domain/administration/users.ts'
import { renderDevMails } from '../http/pages/dev-mailbox.ts'
import { createApp } from './create-app.ts'
import type { AppOptions } from './create-app.ts'
import './decorations.ts'

// The package `portal/testing`: what the tests of an app need. A release changes it by semver.

/** The life of an application: `test` of node:test, or the context of a test. */
export interface Life {
  after(end: () => unknown): unknown
}

const operator: CommandLine = { type: 'cli', source: 'cli', label: 'test' }
export const password = 'correct horse battery'

/**
 * The portal with an app, on a database of its own in memory. It does not listen: send requests
 * with `inject` or as a caller. Mail is caught, and no limit by address is reached. By default the
 * app is that of APP, or in `app`.
 * @param life closes it: with `test` of node:test, after the last test of the file
 */
export async function testApp(
  life: Life,
  { app = ownAppFolder() ?? 'app', env = {} }: Partial<AppOptions> = {}
): Promise<FastifyInstance> {
  const portal = await createApp({
    app,
    env: {
      NODE_ENV: 'development',
      DATABASE_URL: 'pglite:memory',
      SECRET_KEYS: `test:${randomText()}`,
      LOG_LEVEL: 'error',
      BCRYPT_COST: '10',
      HASH_THREADS: '1',
      ...Object.fromEntries(budgetNames.map((name) => [name, '999999/0.001'])),
      ...env
    }
  })
  life.after(() => portal.close())
  await portal.ready()
  return portal
}

interface Person {
  email?: string
  name?: string
}

export type TestUser = Required<Person> & { id: string }

/** A user whose address is confirmed and whose password is `password`. */
export async function aUser(
  app: FastifyInstance,
  { email = `${randomId()}@example.com`, name = 'Ada Lovelace' }: Person = {}
): Promise<TestUser> {
  const input = { email, name, password, emailVerified: true }
  return createUser(app.context, operator, input)
}

interface CallerOptions extends Person {
  /** Permissions besides those of every user. */
  permissions?: Permission[]
}

export interface Caller {
  user: TestUser
  /** The value of the header `cookie`. */
  cookie: string
  /** Sends a request with the session. A body is sent as JSON. */
  call(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Record<string, string>
  ): Promise<LightMyRequestResponse>
}

/** A user who has signed in. */
export async function aCaller(
  app: FastifyInstance,
  { permissions = [], ...person }: CallerOptions = {}
): Promise<Caller> {
  const user = await aUser(app, person)
  if (permissions.length > 0) {
    const key = `test-${randomId()}`
    await createRole(app.db, operator, { key, name: 'A test', permissions })
    await grantRole(app.db, operator, { userId: user.id, role: key })
  }
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password }
  })
  const [session] = response.cookies
  if (!session) throw new Error(`The sign-in failed with status ${response.statusCode}.`)
  const cookie = `${session.name}=${session.value}`
  return {
    user,
    cookie,
    call: async (method, url, payload, headers = {}) =>
      app.inject({ method, url, headers: { cookie, ...headers }, ...(payload && { payload }) })
  }
}

/** Two users with the same permissions: one must not reach what belongs to the other. */
export const twoCallers = async (
  app: FastifyInstance,
  options: Pick<CallerOptions, 'permissions'> = {}
): Promise<[Caller, Caller]> => [await aCaller(app, options), await aCaller(app, options)]

export type CaughtMail = Record<'kind' | 'to' | 'subject' | 'text' | 'html', string>

/** Milliseconds. */
const mailLimit = 20_000

/**
 * The newest mail to this address. Waits for it, because mail is written in the background.
 * @param kind such as `password-reset`, or a kind of the app
 */
export async function caughtMail(
  app: FastifyInstance,
  to: string,
  kind?: string
): Promise<CaughtMail> {
  for (const end = Date.now() + mailLimit; ;) {
    const found = await renderDevMails(app.context, app.mailSettings, { q: to })
    const mail = found.find((each) => each.to === to && (!kind || each.kind === kind))
    if (mail) return mail
    if (Date.now() > end) throw new Error(`There is no mail to ${to}${kind ? ` (${kind})` : ''}.`)
    await sleep(20)
  }
}

/** A clock for this process, its database in memory included. It goes on, and can go faster. */
export function aClock(life: Life) {
  const { Date: RealDate } = globalThis
  let ahead = 0
  const now = () => RealDate.now() + ahead
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, given: number[], type) =>
      Reflect.construct(RealDate, given.length > 0 ? given : [now()], type) as Date,
    get: (_, name: keyof DateConstructor) => (name === 'now' ? now : RealDate[name])
  })
  life.after(() => {
    globalThis.Date = RealDate
  })
  return {
    now: () => new Date(now()),
    /** Moves the time on. */
    advance(seconds: number) {
      ahead += seconds * 1000
    }
  }
}
