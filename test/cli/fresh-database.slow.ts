// Also on PGlite.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { onPglite, password, until } from '../support/app.ts'
import { emptyDatabaseUrl } from '../support/empty-database.ts'
import { built } from '../support/root.ts'
import { production, startServer } from './production-server.ts'
import { portal } from './run.ts'

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
