import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import {
  cookieOf,
  onPglite,
  password,
  temporaryFolder,
  testDatabaseUrl,
  until
} from '../helpers.ts'
import { freePort } from '../postgres.ts'
import { built } from '../root.ts'
import { startServer as start } from '../server-process.ts'
import { portal } from './run.ts'

/** An empty database, without a schema. */
async function emptyDatabaseUrl(t: Test) {
  if (onPglite) return `pglite:${temporaryFolder(t)}/db`
  const url = await testDatabaseUrl(t)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await client.unsafe(
    'drop schema public cascade; drop schema drizzle cascade; create schema public'
  )
  await client.end()
  return url
}

/** A server in production mode, until the test ends or `stop` is called. */
async function startServer(t: Test, env: Record<string, string>) {
  const { process, base, exit, ready } = await start(t, {
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_SECONDS: '0',
    LOG_LEVEL: 'warn',
    ...env
  })
  await ready()
  const post = (url: string, body: object, cookie = '') =>
    fetch(base + url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body)
    })
  return {
    post,
    signIn: async (email: string) => {
      const response = await post('/api/auth/login', { email, password })
      return cookieOf({
        statusCode: response.status,
        headers: { 'set-cookie': response.headers.getSetCookie() }
      })
    },
    me: async (cookie: string) =>
      (await fetch(`${base}/api/auth/me`, { headers: { cookie } })).status,
    stop: async () => {
      process.kill('SIGTERM')
      return exit
    }
  }
}

const production = () => ({
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  BCRYPT_COST: '10'
})

t.test(
  'a fresh production database is migrated, gets an administrator, imports users and serves them',
  async (t) => {
    const env = { ...production(), DATABASE_URL: await emptyDatabaseUrl(t) }
    const before = await portal(['doctor', '--json'], { env })
    t.equal(before.code, 1)
    t.match(
      JSON.parse(before.stdout).find((each: { check: string }) => each.check === 'schema'),
      { result: 'problem', todo: 'Run: portal migrate' }
    )
    if (!onPglite) {
      t.match(await portal(['user', 'list'], { env }), { code: 2, stderr: /portal migrate/ })
    }
    t.match(await portal(['migrate'], { env }), { code: 0, stderr: / was updated/ })
    t.match(await portal(['migrate'], { env }), { code: 0, stderr: /is up to date/ })
    t.match(
      (await portal(['doctor'], { env })).stdout,
      /✗ administrator: there is no active administrator\n {4}Run: portal admin create/
    )
    t.equal(
      (
        await portal(['admin', 'create', '--email', 'ops@example.com', '--password-file', '-'], {
          env,
          input: password
        })
      ).code,
      0
    )
    if (!onPglite) await setLimits(t, env)
    const doctor = await portal(['doctor', '--json'], { env })
    t.equal(doctor.code, 0, doctor.stdout)
    t.equal(
      (
        await portal(['import', 'users', '-'], {
          env,
          input: '{"email":"ada@example.com","name":"Ada"}\n'
        })
      ).code,
      0
    )
    t.equal(
      (
        await portal(['user', 'set-password', 'ada@example.com', '--password-file', '-'], {
          env,
          input: password
        })
      ).code,
      0
    )
    const server = await startServer(t, env)
    t.equal(await server.me(await server.signIn('ops@example.com')), 200)
    t.equal(await server.me(await server.signIn('ada@example.com')), 200)
    t.equal(await server.stop(), 0)
  }
)

/** Sets the timeouts that doctor checks for this database only. */
async function setLimits(t: Test, env: { DATABASE_URL: string }) {
  const limits = async () => {
    const { stdout } = await portal(['doctor', '--json'], { env })
    const findings = JSON.parse(stdout) as { check: string; result: string; todo: string }[]
    t.match(
      findings.find(({ check }) => check === 'server'),
      {
        result: 'ok',
        finding:
          /^127\.0\.0\.1:\d+, the primary \(pg_is_in_recovery\(\) is false\), default_transaction_isolation read committed$/
      }
    )
    return findings.find(({ check }) => check === 'limits')
  }
  const missing = await limits()
  t.equal(missing?.result, 'problem')
  const statements = /^Run: (ALTER ROLE .*;)$/.exec(missing?.todo ?? '')?.[1] ?? ''
  const name = new URL(env.DATABASE_URL).pathname.slice(1)
  const client = postgres(env.DATABASE_URL, { max: 1 })
  await client.unsafe(statements.replaceAll('ALTER ROLE portal SET', `ALTER DATABASE ${name} SET`))
  await client.end()
  t.equal((await limits())?.result, 'ok')
}

t.test(
  'a command that waits for a migration by another process says so',
  { skip: onPglite && 'its directory has one process' },
  async (t) => {
    const env = {
      ...production(),
      PATH: process.env.PATH,
      DATABASE_URL: await emptyDatabaseUrl(t),
      MIGRATE_ON_START: 'true'
    }
    const other = postgres(env.DATABASE_URL, { max: 1 })
    t.teardown(() => other.end())
    await other`select pg_advisory_lock(${0x706f7274616c}::bigint)`
    const command = [path.join(built, 'src/cli.js'), 'user', 'list']
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exit = once(child, 'close')
    let messages = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      messages += chunk
    })
    await until(() => messages !== '')
    t.match(messages, /^Waiting for another process/)
    await other`select pg_advisory_unlock_all()`
    t.same(await exit, [0, null], messages)
  }
)

if (onPglite) {
  t.test(
    'a command reports a data directory in use by a server and ends with exit code 5',
    async (t) => {
      const env = { ...production(), DATABASE_URL: await testDatabaseUrl(t) }
      const server = await startServer(t, env)
      for (const args of [['user', 'list'], ['migrate']]) {
        const result = await portal(args, { env })
        t.equal(result.code, 5)
        t.match(result.stderr, /in use|another process/i)
      }
      t.match(
        JSON.parse((await portal(['doctor', '--json'], { env })).stdout).find(
          (each: { check: string }) => each.check === 'database'
        ),
        { result: 'problem' }
      )
      await server.stop()
      t.equal((await portal(['user', 'list'], { env })).code, 0)
    }
  )
} else {
  t.test(
    'changes by a command take effect with the next request of a running server',
    async (t) => {
      const env = { ...production(), DATABASE_URL: await testDatabaseUrl(t) }
      t.equal(
        (
          await portal(
            [
              'user',
              'create',
              '--email',
              'ada@example.com',
              '--name',
              'Ada',
              '--password-file',
              '-'
            ],
            { env, input: password }
          )
        ).code,
        0
      )
      const server = await startServer(t, env)
      for (const end of [
        ['session', 'revoke', '--user', 'ada@example.com', '--yes'],
        ['user', 'deactivate', 'ada@example.com']
      ]) {
        const cookie = await server.signIn('ada@example.com')
        t.equal(await server.me(cookie), 200)
        t.equal((await portal(end, { env })).code, 0)
        t.equal(await server.me(cookie), 401, end.join(' '))
      }
      const flag = JSON.stringify({
        key: 'switch',
        type: 'boolean',
        variants: { on: true, off: false },
        defaultVariant: 'on',
        offVariant: 'off',
        public: true
      })
      t.equal((await portal(['flag', 'create', '--file', '-'], { env, input: flag })).code, 0)
      const value = async () =>
        (
          (await (await server.post('/ofrep/v1/evaluate/flags/switch', {})).json()) as {
            value: boolean
          }
        ).value
      t.equal(await value(), true)
      t.equal((await portal(['flag', 'disable', 'switch'], { env })).code, 0)
      t.equal(await value(), false)
      t.equal((await portal(['refresh'], { env })).code, 0)
      t.equal(await value(), false)
    }
  )
}

t.test(
  'an unavailable database is exit code 5, and configuration errors are reported',
  async (t) => {
    const away = {
      ...production(),
      DATABASE_URL: `postgres://portal@127.0.0.1:${await freePort()}/portal`
    }
    t.match(await portal(['user', 'list'], { env: away }), {
      code: 5,
      stderr: /cannot be used: nothing is listening there/
    })
    const weak = await portal(['doctor'], { env: { ...away, SECRET_KEYS: 'k1:short' } })
    t.equal(weak.code, 1)
    t.match(
      weak.stdout,
      /✗ configuration: SECRET_KEYS contains a key of less than 32 bytes\n.*\n✗ database: cannot be used: nothing is listening there/
    )
    const proxied = await portal(['doctor'], {
      env: { ...away, PUBLIC_ORIGIN: 'https://portal.example.com' },
      terminal: true
    })
    t.match(proxied.stdout, /! proxy: PUBLIC_ORIGIN is https and TRUST_PROXY is empty/)
    t.match(await portal(['user', 'list'], { env: {} }), {
      code: 1,
      stderr: /DATABASE_URL is not set/
    })
  }
)
