// The build in dist, started as an operator could: with another value than the default for every
// variable, and in development with a sign-in at the provider Example. Every module that is loaded
// only when it is needed is loaded once. The tests run from the sources, where a missing file of the
// build is not noticed.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { compile } from '../bin/compile.js'

await compile()
process.env.PORTAL_TEST_RUNNER = String(process.pid) // names the folder of the database server
const { defaultBudgets } = await import('../.build/src/config/budget-variables.js')
const { environment } = await import('../.build/src/config/variables.js')
const { freePort, databaseUrl } = await import('../.build/test/support/postgres.js')
const { cookieHeader, goThrough } = await import('../.build/test/support/providers/flow.js')
const { spawnServer } = await import('../.build/test/support/server-process.js')
const { stopTestServer, testServer } = await import('../.build/test/support/test-server.js')

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const folder = mkdtempSync(path.join(tmpdir(), 'portal-started-'))
const children = []

try {
  await startsWithEveryVariable()
  await signsInWithExample()
  await loadsEveryModule()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const child of children) child.kill('SIGKILL') // after a failure one may still run
  await stopTestServer()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function startsWithEveryVariable() {
  const env = await everyVariable()
  const missing = Object.keys(environment.properties).filter((name) => !(name in env))
  assert.deepEqual(missing, [], 'these variables need a value in .ci/started.mjs')
  const server = await start(env)
  const page = await text(server, '/account/sign-in')
  const [logo] = /\/account\/assets\/logo-\w+\.png/.exec(page)
  const [accent] = /\/account\/assets\/accent-\w+\.css/.exec(page) ?? []
  assert.match(await text(server, accent), /#7a1f5c/i)
  assert.equal((await fetch(server.base + logo)).headers.get('content-type'), 'image/png')
  assert.match(page, /Example product/)
  const { providers } = JSON.parse(await text(server, '/api/auth/options'))
  assert.deepEqual(providers, [{ key: 'acme', kind: 'oidc', name: 'Acme' }])
  const metrics = await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)
  assert.match(await metrics.text(), /^portal_/m)
  await stop(server)
  console.log(`the build starts with ${Object.keys(env).length} variables set`)
}

async function everyVariable() {
  const acme = {
    kind: 'oidc',
    name: 'Acme',
    issuer: 'https://login.acme.example',
    clientId: 'portal',
    clientSecretFile: file('secret', 'a secret of the provider')
  }
  // The smallest PNG: one transparent pixel.
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const logo = Buffer.from(pixel, 'base64')
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: { density: { type: 'string', enum: ['low'] } }
  }
  const { url } = await testServer()
  const name = `started_${randomBytes(8).toString('hex')}`
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin`create database ${admin(name)}`
  await admin.end()
  const DATABASE_URL = databaseUrl(url, name)
  return {
    NODE_ENV: 'production', // its other value is the next test
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    PUBLIC_ORIGIN: 'https://portal.example.com',
    CORS_ORIGINS: 'https://app.example.com',
    CORS_HEADERS: 'traceparent',
    ALLOWED_HOSTS: '127.0.0.1',
    ASSERTION_AUDIENCES: 'reports',
    TRUST_PROXY: '192.0.2.0/24',
    DATABASE_URL,
    DATABASE_POOL_MAX: '5',
    DATABASE_PREPARE: 'false',
    MIGRATE_ON_START: 'true',
    MIGRATION_DATABASE_URL: DATABASE_URL,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    SESSION_IDLE_SECONDS: '3600',
    SESSION_ABSOLUTE_SECONDS: '7200',
    SESSION_MAX_PER_USER: '5',
    PASSWORD_MIN_LENGTH: '15',
    BCRYPT_COST: '10',
    REGISTRATION: 'closed',
    REGISTRATION_DOMAINS: 'example.com,*.example.com',
    REGISTRATION_BLOCKED: file('blocked', 'mailbox.example\n'),
    REGISTRATION_NETWORKS: file('networks', '192.0.2.0/24\n'),
    REGISTER_HOOK: 'https://hook.example.com/registrations',
    REGISTER_HOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    WEBHOOK_NETWORKS: '10.1.0.0/16',
    MACHINE_ADMIN: 'on',
    MACHINE_LISTEN: String(await freePort()),
    SCOPES_SELF: 'project:owner',
    PASSKEYS: 'on', // `off` and PASSKEY_RP_ID exclude each other
    PASSKEY_RP_ID: 'example.com',
    PROVIDERS: file('providers.json', JSON.stringify({ acme })),
    APP: app(),
    SETTINGS_SCHEMA: file('settings.json', JSON.stringify({ user: schema, app: schema })),
    MAIL_URL: `smtp://user:password@127.0.0.1:${await freePort()}`,
    MAIL_FROM: 'Portal <portal@example.com>',
    MAIL_LOCALE: 'de',
    MAIL_TEXTS: texts(),
    PRODUCT_NAME: 'Example product',
    EMAIL_VERIFICATION: 'optional',
    ACCOUNT_URL: 'https://portal.example.com/account',
    SIGN_IN_NOTICES: 'false',
    ACCOUNT_PAGES: 'on',
    ACCOUNT_LOGO: file('logo.png', logo),
    ACCOUNT_ACCENT: '#7a1f5c',
    APP_URL: 'https://portal.example.com/app',
    ...defaultBudgets(true),
    HASH_THREADS: '1',
    DELETION_GRACE_DAYS: '14',
    ACTIVITY_RETENTION_DAYS: '90',
    ACTIVITY_FORGET: 'true',
    LOG_LEVEL: 'debug',
    METRICS_PORT: String(await freePort()),
    SHUTDOWN_DELAY_SECONDS: '0'
  }
}

function app() {
  const app = path.join(folder, 'app')
  mkdirSync(app)
  writeFileSync(
    path.join(app, 'portal.js'),
    "import { defineApp } from 'portal'\nexport default defineApp({})\n"
  )
  return app
}

function texts() {
  const texts = path.join(folder, 'texts')
  mkdirSync(texts)
  writeFileSync(path.join(texts, 'fr.json'), '{ "common.hello-name": "Bonjour {name}," }')
  return texts
}

/** Signs in to a built development server, with the provider that it has itself. */
async function signsInWithExample() {
  const port = String(await freePort())
  const server = await start({
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: port,
    DATABASE_URL: 'pglite:memory',
    LOG_LEVEL: 'error'
  })
  const jar = new Map()
  const { problem } = await goThrough(injectInto(server), jar, { key: 'example', person: 'nora' })
  assert.equal(problem, undefined)
  const me = await fetch(`${server.base}/api/auth/me`, { headers: { cookie: cookieHeader(jar) } })
  assert.equal((await me.json()).user.email, 'nora.field@example.com')
  await stop(server)
  console.log('the build signs in with Example in development')
}

/** The part of an application that `goThrough` uses, over HTTP. */
function injectInto({ base }) {
  return {
    async inject({ method, url, headers, payload }) {
      const isText = typeof payload === 'string'
      const response = await fetch(base + url, {
        method,
        redirect: 'manual',
        headers: { ...(payload && !isText && { 'content-type': 'application/json' }), ...headers },
        ...(payload && { body: isText ? payload : JSON.stringify(payload) })
      })
      const body = await response.text()
      return {
        statusCode: response.status,
        headers: {
          location: response.headers.get('location') ?? undefined,
          'set-cookie': response.headers.getSetCookie()
        },
        body,
        json: () => JSON.parse(body)
      }
    }
  }
}

/** Loads what the build imports only when it is needed, except for the programs themselves. */
async function loadsEveryModule() {
  const programs = ['src/server.js', 'src/instance.js']
  const modules = new Set()
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js') || file.startsWith('pages')) continue
    const code = readFileSync(path.join(dist, file), 'utf8')
    for (const [, name] of code.matchAll(/\bimport\(['"](\.[^'"]+)['"]\)/g)) {
      modules.add(path.join(path.dirname(file), name))
    }
  }
  assert.ok(modules.size > 10)
  for (const file of modules) {
    if (!programs.includes(file)) await import(pathToFileURL(path.join(dist, file)).href)
  }
  console.log(`the build has all ${modules.size} modules that are loaded when they are needed`)
}

function file(name, content) {
  const where = path.join(folder, name)
  writeFileSync(where, content)
  return where
}

async function text({ base }, where) {
  const response = await fetch(base + where)
  assert.equal(response.status, 200, where)
  return response.text()
}

async function start(env) {
  const server = await spawnServer(env, { cwd: folder, script: path.join(dist, 'src/server.js') })
  children.push(server.process)
  return server.ready()
}

async function stop(server) {
  server.process.kill('SIGTERM')
  assert.equal(await server.exit, 0, server.output())
}
