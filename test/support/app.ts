import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { desc, eq } from 'drizzle-orm'
import type { FastifyBaseLogger, FastifyInstance, InjectOptions } from 'fastify'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { buildApp } from '../../src/app.ts'
import { budgetsOf } from '../../src/config/budget-variables.ts'
import type { Config } from '../../src/config/config.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { randomText } from '../../src/domain/crypto.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import type { Actor, CommandLine } from '../../src/domain/actor.ts'
import { createBulkhead } from '../../src/domain/bulkhead.ts'
import { createPasswords } from '../../src/domain/passwords/passwords.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { createAttemptQueue } from '../../src/domain/throttling/admission.ts'
import { createBuckets } from '../../src/domain/throttling/buckets.ts'
import { createDeviceTokens } from '../../src/domain/throttling/devices.ts'
import { sessionCookieName } from '../../src/http/cookies.ts'
import { createProviderClient } from '../../src/outbound/provider-client.ts'
import { createSender } from '../../src/outbound/sender.ts'
import { checkResponses } from './contract.ts'
import { migrated } from './migrated.ts'
import './slack.ts'
import './statements.ts'
import {
  createTestFolder,
  databaseUrl,
  dropDatabase,
  pgliteTemplate,
  testFolder
} from './postgres.ts'
import { sharedApp } from './shared-apps.ts'
import { budgets, noLimitsByAddress, rules, testConfig } from './test-config.ts'
import { insertUser } from './users.ts'
import { canClone, databasePrefix, pooler, serverIsolation, testServer } from './test-server.ts'

export const onPglite = process.env.TEST_DATABASE_URL === 'pglite:memory'

export const anonymous: Actor = { type: 'anonymous', source: 'api' }
/** An actor that may do everything, like the command line. */
export const operator: CommandLine = { type: 'cli', source: 'cli' }
/** bcrypt at the lowest cost, which does not matter for these tests. */
export const passwordsOf = (cost: number) =>
  createPasswords({
    minLength: 8,
    cost,
    bulkhead: createBulkhead({ running: 2, waiting: 100, maxWait: 60_000 })
  })
export const passwords = passwordsOf(4)
/** The services of a login on a separate database. */
export const servicesOf = ({ db }: Pick<Database, 'db'>) => ({
  db,
  passwords,
  sessionRules: rules,
  registration: 'open' as const,
  graceDays: 0,
  mail: undefined,
  passkeys: undefined,
  settings: undefined,
  providers: [],
  providerClient: createProviderClient({ development: true, redirectUriOf: (key) => key }),
  sender: createSender({ development: true, networks: [] }),
  buckets: createBuckets(randomBytes(32), budgetsOf(budgets)),
  attempts: createAttemptQueue(50),
  devices: createDeviceTokens([randomBytes(32)]),
  sealing: createSealing([{ kid: 'test', secret: randomBytes(32) }])
})
export const password = 'correct horse battery'
export const freshEmail = () => `${randomUUID()}@example.com`

/** Creates and drops databases; it closes itself. */
let admin: Sql | undefined

/**
 * The URL of a new, migrated database that several processes can open (PGlite: one after the
 * other).
 */
export async function testDatabaseUrl(t: Pick<Test, 'teardown'>): Promise<string> {
  const { url, template, socket } = await testServer()
  if (onPglite) {
    const folder = temporaryFolder(t)
    cpSync(pgliteTemplate, path.join(folder, 'db'), { recursive: true })
    return `pglite:${folder}/db`
  }
  const name = `${databasePrefix}test_${randomBytes(8).toString('hex')}`
  const server = (admin ??= postgres(url, { max: 2, onnotice: () => {}, idle_timeout: 1 }))
  if (canClone) {
    // Copying files takes a third of the time, but a server of others would write a checkpoint.
    const strategy = socket === undefined ? '' : 'strategy file_copy'
    await server`create database ${server(name)} template ${server(template)} ${server.unsafe(strategy)}`
  } else await server`create database ${server(name)}`
  t.teardown(() => dropDatabase(server, name))
  if (!canClone) await migrated(databaseUrl(url, name))
  return databaseUrl(pooler ?? url, name)
}

/** A new, migrated database that is open until the test ends. */
export async function testDatabase(t: Pick<Test, 'teardown'>): Promise<Database> {
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(await bySocket(url), {
    poolMax: 5,
    prepare: pooler === undefined,
    serverIsolation,
    // Migrations do not go through the pooler.
    ...(pooler && {
      migrationUrl: databaseUrl((await testServer()).url, new URL(url).pathname.slice(1))
    })
  })
  t.teardown(() => database.close())
  return database
}

/** Removes the host of a URL: the driver then finds the socket by the environment. */
async function bySocket(url: string) {
  const { socket } = await testServer()
  if (socket === undefined) return url
  const { username, port, pathname } = new URL(url)
  Object.assign(process.env, { PGHOST: socket, PGPORT: port })
  return `postgres://${username}@${pathname}`
}

export function temporaryFolder(t: Pick<Test, 'teardown'>) {
  createTestFolder()
  const folder = mkdtempSync(path.join(testFolder, 'test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * The whole application of a configuration with its database, shared with other tests: a test cannot
 * change it, finds rows of others, and reaches no limit by address.
 */
export async function testApp(t: Test, changes: Partial<Config> = {}): Promise<FastifyInstance> {
  return sharedApp(t, JSON.stringify(changes), async (life) =>
    started(
      t,
      buildApp(testConfig({ ...noLimitsByAddress, ...changes }), {
        database: await testDatabase(life)
      }),
      life
    )
  )
}

/** An application of one test, which may change it, on a database of its own or on this one. */
export async function ownApp(
  t: Test,
  changes: Partial<Config> = {},
  database?: Database,
  logger?: FastifyBaseLogger
): Promise<FastifyInstance> {
  return started(
    t,
    buildApp(testConfig(changes), {
      database: database ?? (await testDatabase(t)),
      ...(logger && { logger })
    })
  )
}

/**
 * Starts an application that ends with `life`. A response that does not match its OpenAPI document
 * fails the test that is running.
 */
export async function started(
  t: Test,
  app: FastifyInstance,
  life: Pick<Test, 'teardown'> = t
): Promise<FastifyInstance> {
  const all = rootOf(t)
  checkResponses(app, (violation) => {
    innermost(all).fail(violation)
  })
  life.teardown(() => app.close())
  await app.ready()
  return app
}

const rootOf = (t: Test): Test => (t.parent ? rootOf(t.parent as Test) : t)

/** The test that is running inside `t`, or `t`. */
function innermost(t: Test): Test {
  const [inside] = t.activeSubtests
  return inside ? innermost(inside as Test) : t
}

let hash: Promise<string> | undefined
/** The hash of `password`. */
const passwordHash = () => (hash ??= passwords.hash(password))

/** Inserts a registered user into the database. */
export const aUser = async ({ db }: Pick<Database, 'db'>, email = freshEmail()) =>
  insertUser(db, { email, passwordHash: await passwordHash() })

/** Signs in over HTTP and returns the cookie header of the session. */
export async function signedIn(
  app: FastifyInstance,
  email: string,
  headers: InjectOptions['headers'] = {},
  secret = password
): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers,
    payload: { email, password: secret }
  })
  return cookieOf(response)
}

/** A signed-in user with these roles besides `user`, and a function that sends their requests. */
export const aCaller = async (app: FastifyInstance, ...roles: string[]) => newCaller(app, { roles })

/** Inserts a user with a session, and with a confirmed address if it should be. */
export async function newCaller(
  app: FastifyInstance,
  { roles, confirmed = false }: { roles: string[]; confirmed?: boolean }
) {
  const [secret, seconds] = [randomText(), app.config.SESSION_ABSOLUTE_SECONDS]
  const user = await insertUser(app.db, {
    ...{ email: freshEmail(), passwordHash: await passwordHash() },
    ...{ roles, confirmed, session: { secret, seconds } }
  })
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + seconds * 1000)]
  const token = app.sessionTokens.sign({ userId: user.id, createdAt, expiresAt }, secret)
  return callingWith(app, user, `${sessionCookieName(app.config.development)}=${token}`)
}

/** Signs an existing user in over HTTP. */
export async function callerOf<User extends { id: string; email: string }>(
  app: FastifyInstance,
  user: User,
  ...roles: string[]
) {
  for (const role of roles) await grantRole(app.db, operator, { userId: user.id, role })
  return callingWith(app, user, await signedIn(app, user.email))
}

function callingWith<User>(app: FastifyInstance, user: User, cookie: string) {
  const call = (
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers: InjectOptions['headers'] = {}
  ) => app.inject({ method, url, headers: { cookie, ...headers }, ...(payload && { payload }) })
  return { user, cookie, call }
}

/** Creates a role with exactly these permissions and returns its key. */
export async function aRole(database: Database, ...permissions: string[]) {
  const key = `role-${randomBytes(6).toString('hex')}`
  await createRole(database.db, operator, { key, name: 'A role', permissions })
  return key
}

/** The newest records of a list in short form. */
export async function activityOf(database: Database, targetId: string) {
  return database.db
    .select()
    .from(activity)
    .where(eq(activity.targetId, targetId))
    .orderBy(desc(activity.at), desc(activity.id))
}

/**
 * `name=value` of the first cookie of a response, which is the session cookie. Throws without one.
 */
export function cookieOf(response: {
  statusCode: number
  headers: Record<string, unknown>
}): string {
  const header = String([response.headers['set-cookie']].flat()[0])
  const [pair] = header.split(';')
  if (!pair?.includes('=')) throw new Error(`no cookie was set (status ${response.statusCode})`)
  return pair
}

const maxWait = 240_000

/**
 * Waits until `condition` is true, for at most four minutes, which only a failure takes. Returns
 * its result.
 */
export async function until<T>(condition: () => T): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + maxWait
  for (;;) {
    const result = await condition()
    if (result) return result
    if (Date.now() > end) throw new Error(`waited ${maxWait / 1000} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
