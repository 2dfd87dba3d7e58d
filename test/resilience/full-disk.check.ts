// Not on PGlite: embedded.check.ts fills its disk.

import path from 'node:path'
import { inArray } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { portal } from '../cli/run.ts'
import { aCaller, freshEmail, ownApp, password, until } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { clean, startPostgres } from '../support/postgres.ts'
import { noLimitsByAddress } from '../support/test-config.ts'
import { mayMount, smallDisk } from './small-disk.ts'

t.test(
  'the disk of PostgreSQL is full: reads go on, the cause is named, and no refused change is stored',
  { skip: !mayMount && 'only root may mount a small disk' },
  async (t) => {
    const { folder, fill, makeRoom } = smallDisk(t, 300)
    const data = path.join(folder, 'postgres')
    const DATABASE_URL = await startPostgres(data, ['max_wal_size=64MB', 'wal_init_zero=on'])
    t.teardown(() => clean(data))
    const database = await openDatabase(DATABASE_URL)
    await database.migrate(syncRegistry)
    const { log, output } = captureLog()
    const app = await ownApp(t, noLimitsByAddress, database, log)
    const { call } = await aCaller(app)
    const longest = { took: 0, url: '' }
    const timed = async (...request: Parameters<typeof call>) => {
      const since = performance.now()
      const response = await call(...request)
      const took = performance.now() - since
      if (took > longest.took) Object.assign(longest, { took, url: request[1] })
      return response
    }
    const stored: string[] = []
    const refused: string[] = []
    const register = async () => {
      const email = freshEmail()
      const body = { email, password, name: 'x'.repeat(80) }
      const response = await timed('POST', '/api/auth/register', body)
      ;(response.statusCode === 201 ? stored : refused).push(email)
      if (response.statusCode === 201) return true
      t.match(response.json(), {
        status: 503,
        code: 'database-unavailable',
        detail: /no room to save changes/
      })
      t.ok(response.headers['retry-after'])
      return false
    }
    t.ok(await register())
    fill()
    // There is room in pages that the tables have already.
    await until(async () => !(await register()))
    for (let n = 0; n < 5; n++) await register()
    for (const url of ['/api/auth/me', '/api/user/sessions', '/health']) {
      t.equal((await timed('GET', url)).statusCode, 200, url)
    }
    t.match(output(), '"cause":"disk-full"')
    t.match(output(), 'No space left on device')
    const { stdout } = await portal(['doctor', '--json'], { env: { DATABASE_URL } })
    const findings = JSON.parse(stdout) as { check: string; finding: string }[]
    t.match(
      findings.find(({ check }) => check === 'storage'),
      { result: 'problem', finding: /its disk is full: .*No space left on device/ }
    )
    t.ok(longest.took < 15_000, JSON.stringify(longest))

    makeRoom()
    await until(register)
    const kept = await app.db
      .select({ email: users.email })
      .from(users)
      .where(inArray(users.email, [...stored, ...refused]))
    t.same(kept.map(({ email }) => email).toSorted(), stored.toSorted())
  }
)
