import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { until } from '../support/app.ts'
import type { Call } from './people.ts'

/** Milliseconds. A session check fails after a second. */
const backupTakes = 4000

/** An administrator who reads every list, and creates and deletes roles and permissions. */
export async function administration(call: Call, sql: postgres.Sql) {
  const account = { email: 'admin@example.com', password: 'correct horse battery' }
  await call('POST', '/api/auth/register', { body: { ...account, name: 'Ada' } })
  await sql`
    insert into user_roles select users.id, roles.id from users, roles
    where users.email = ${account.email} and roles.key = 'admin' on conflict do nothing`
  const login = await call('POST', '/api/auth/login', { body: account })
  if (!login.cookie) throw new Error(`no session: ${login.status} ${login.body}`)
  const cookie = login.cookie
  const tally: Record<string, number> = {}
  const over = new AbortController()
  const ask = async (method: string, url: string, body?: object) => {
    const answer = await call(method, url, { cookie, ...(body && { body }) }).catch(() => undefined)
    const kind =
      answer && answer.status < 300 ? String(answer.status) : `${method} ${url} ${answer?.status}`
    tally[kind] = (tally[kind] ?? 0) + 1
  }
  const work = async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const key = `role-${n}`
      for (const list of [
        'users',
        'users?q=lovel',
        'users?status=active&sort=name',
        'sessions',
        'sessions?state=active',
        'roles',
        'permissions',
        'activity',
        'activity?action=auth.login',
        'overview',
        'flags',
        'outbox'
      ]) {
        await ask('GET', `/api/admin/${list}`)
      }
      await ask('POST', '/api/admin/roles', { key, name: key })
      await ask('DELETE', `/api/admin/roles/${key}`)
      await ask('PUT', '/api/user/theme', { theme: n % 2 === 0 ? 'dark' : 'light' })
    }
  }
  const working = work()
  return {
    tally,
    stop() {
      over.abort()
      return working
    }
  }
}

/** Keeps every table locked as pg_dump does, again and again. */
export function endlessBackups(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const over = new AbortController()
  let count = 0
  let running = false
  const work = async () => {
    while (!over.signal.aborted) {
      await sql.begin('isolation level repeatable read', async (tx) => {
        const tables = await tx`select format('%I.%I', schemaname, tablename) as name
          from pg_tables where schemaname in ('public', 'drizzle')`
        await tx.unsafe(
          `lock table ${tables.map(({ name }) => String(name)).join()} in access share mode`
        )
        count++
        running = true
        await sleep(backupTakes, undefined, { signal: over.signal }).catch(() => {})
      })
      running = false
      await sleep(2000, undefined, { signal: over.signal }).catch(() => {})
    }
    await sql.end()
  }
  const working = work()
  return {
    count: () => count,
    oneRuns: () => until(async () => running),
    stop() {
      over.abort()
      return working
    }
  }
}
