import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { storedForm } from '../../src/domain/passwords/foreign-forms.ts'
import { aUser, onPglite, testDatabaseUrl } from '../support/app.ts'
import { raised } from '../support/raised-limits.ts'
import { startServer } from '../support/server-process.ts'

// The most memory that an imported hash may cost, as docs/do/moving.md says.
const hash = `$argon2id$v=19$m=65536,t=3,p=4$${'a'.repeat(22)}$${'a'.repeat(43)}`
const threads = 2

t.test(
  'a hundred logins at once with hashes of 64 MiB need 64 MiB for each thread',
  { skip: onPglite && 'the server has the database' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    const costly = await aUser(database)
    await database.db
      .update(users)
      .set({ passwordHash: storedForm(hash) })
      .where(eq(users.id, costly.id))
    const {
      ready,
      base,
      process: child
    } = await startServer(t, {
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'http://localhost',
      DATABASE_URL: url,
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
      HASH_THREADS: `${threads}`,
      THROTTLE_LOGIN_PAIR: raised,
      THROTTLE_LOGIN_SOURCE: raised,
      THROTTLE_LOGIN_ACCOUNT: raised
    })
    await ready()
    const login = async () => {
      const response = await fetch(`${base}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', host: 'localhost' },
        body: JSON.stringify({ email: costly.email, password: 'not this one' })
      })
      await response.arrayBuffer()
      return response.status
    }
    const highest = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
    const before = highest()
    const answers = await Promise.all(Array.from({ length: 100 }, () => login()))
    const more = highest() - before
    t.ok(
      answers.every((status) => [401, 503].includes(status)),
      answers.join(' ')
    )
    t.ok(answers.filter((status) => status === 401).length > threads)
    t.ok(more > 60, 'the hash was computed')
    const allowed = threads * (64 + 16) + 40 // with the threads themselves, and a hundred requests
    t.ok(more < allowed, `${Math.round(more)} MiB more, at most ${allowed}`)
    t.comment(`${Math.round(before)} MiB before, ${Math.round(more)} MiB more`)
  }
)
