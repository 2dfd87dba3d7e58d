import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { startInstance } from './instances.ts'
import { caller, people } from './people.ts'
import { mayMount, smallDisk } from './small-disk.ts'

const times = Number(process.env.KILLS ?? 100)

t.test(
  `the embedded database is killed ${times} times while writing: every acknowledged write survives`,
  async (t) => {
    const env = { DATABASE_URL: `pglite:${temporaryFolder(t)}/db`, PORT: String(await freePort()) }
    let instance = await startInstance(t, env)
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const crowd = people(call, 4)
    for (let i = 0; i < times; i++) {
      await sleep(200 + Math.random() * 600)
      instance.process.kill('SIGKILL')
      await instance.exit
      instance = await startInstance(t, env)
      await instance.ready()
    }
    await crowd.stop()
    t.comment(`${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
    t.ok((crowd.tally.lost ?? 0) > 0 && crowd.acknowledged() > times / 2)
    t.same(await crowd.missing(call), [])
  }
)

t.test(
  'the disk is full: writes are rejected, and every acknowledged write survives',
  { skip: !mayMount && 'only root may mount a small disk' },
  async (t) => {
    const { folder, fill, makeRoom } = smallDisk(t, 400)
    const env = { DATABASE_URL: `pglite:${folder}/db`, PORT: String(await freePort()) }
    let instance = await startInstance(t, env)
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const crowd = people(call, 4)
    await until(async () => crowd.acknowledged() > 20)
    fill()
    await until(async () => (crowd.tally['503'] ?? 0) + (crowd.tally.lost ?? 0) > 20)
    await crowd.stop()
    t.comment(`full: ${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
    t.comment(
      instance
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
        .slice(0, 3)
        .join('\n')
        .slice(0, 1500)
    )
    t.match(instance.output(), /full|No space left|53100/, 'the log says what is missing')

    makeRoom()
    instance.process.kill('SIGKILL')
    await instance.exit
    instance = await startInstance(t, env)
    await instance.ready()
    t.same(await crowd.missing(call), [])
    t.equal(
      (
        await call('POST', '/api/auth/register', {
          body: { email: 'after@example.com', password: 'correct horse battery', name: 'Ada' }
        })
      ).status,
      201
    )
  }
)

t.test(
  'a read-only disk is reported when the portal starts',
  { skip: !mayMount && 'only root may mount a disk' },
  async (t) => {
    const { folder, readOnly } = smallDisk(t, 400)
    const env = { DATABASE_URL: `pglite:${folder}/db` }
    const instance = await startInstance(t, env)
    await instance.ready()
    instance.process.kill('SIGTERM')
    await instance.exit
    readOnly()
    const second = await startInstance(t, env)
    t.equal(await second.exit, 5)
    t.match(second.output(), /lock file .* cannot be written \(EROFS\)/)
  }
)

t.test(
  'a read-only data directory is reported and not modified',
  { skip: mayMount && 'root may write everywhere' },
  async (t) => {
    const folder = path.join(temporaryFolder(t), 'closed')
    mkdirSync(folder, { mode: 0o500 })
    t.teardown(() => chmodSync(folder, 0o700))
    const instance = await startInstance(t, { DATABASE_URL: `pglite:${folder}/db` })
    t.equal(await instance.exit, 5)
    t.match(instance.output(), /data directory .* cannot be created \(EACCES\)/)
    t.same(readdirSync(folder), [])
  }
)
