import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { onPglite, temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { built } from '../support/root.ts'

const count = 100_000
const folder = temporaryFolder(t)
const hash =
  'f1:pbkdf2-sha256:10000:MDEyMzQ1Njc4OWFiY2RlZg:rqRM8zWcxqR5JgdNH2Ukv6ZDL0xynSbmRCDsePeFnOo'

function fileOf(lines: number) {
  const file = path.join(folder, `${lines}.ndjson`)
  const line = (n: number) =>
    JSON.stringify({
      id: `old-${n}`,
      email: `user${n}@example.com`,
      name: `User ${n}`,
      passwordHash: hash
    })
  writeFileSync(file, Array.from({ length: lines }, (_, n) => line(n)).join('\n'))
  return file
}

/** Imports in a process of its own. */
function start(url: string, file: string, ...options: string[]) {
  const args = [path.join(built, 'src/cli.js'), 'import', 'users', file, '--json', ...options]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, DATABASE_URL: url }
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (texts.stdout += chunk))
  child.stderr.on('data', (chunk) => (texts.stderr += chunk))
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? peak)
    } catch {
      clearInterval(timer)
    }
  }, 50)
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer)
    /** The highest memory in MB. */
    return { code: code as number | null, peak: peak / 1000, ...texts }
  })
  t.teardown(() => child.kill('SIGKILL'))
  return { child, ended }
}

t.test(
  '100,000 lines are imported in bounded memory; interrupted and repeated, each is there once',
  { skip: onPglite && 'the database is read meanwhile' },
  async (t) => {
    const small = await start(await testDatabaseUrl(t), fileOf(10_000)).ended
    t.equal(small.code, 0, small.stderr)

    const url = await testDatabaseUrl(t)
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    const file = fileOf(count)
    const { child, ended } = start(url, file)
    await until(async () => (await database.db.$count(users)) >= count / 5)
    child.kill('SIGKILL')
    await ended
    const interrupted = await database.db.$count(users)
    t.ok(interrupted < count, `${interrupted} were there when it was killed`)
    t.equal(interrupted % 1000, 0, 'whole batches')

    const mapping = path.join(folder, 'mapping.ndjson')
    const repeated = await start(url, file, '--mapping', mapping).ended
    t.same(
      [repeated.code, JSON.parse(repeated.stdout)],
      [
        0,
        {
          created: count - interrupted,
          skipped: interrupted,
          unproved: 0,
          bad: 0,
          secondFactorsLeftOut: 0,
          withoutPassword: 0,
          leftOut: {}
        }
      ]
    )
    t.equal(await database.db.$count(users), count)
    t.equal(await database.db.$count(userRoles), count)
    t.equal(await database.db.$count(activity, eq(activity.action, 'user.create')), count)
    t.equal(readFileSync(mapping, 'utf8').trim().split('\n').length, count)
    t.ok(
      repeated.peak < 1.3 * small.peak,
      `${Math.round(repeated.peak)} MB, and ${Math.round(small.peak)} MB for 10,000 lines`
    )
  }
)
