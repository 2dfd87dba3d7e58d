import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '../helpers.ts'
import { freePort } from '../postgres.ts'
import { startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const times = Number(process.env.KILLS ?? 100)

t.test(`the embedded database is killed ${times} times while writing: every acknowledged write is there on the next start`, async (t) => {
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
})

t.test('a data directory that is read-only is named, and nothing in it is touched', { skip: process.getuid?.() === 0 && 'root may write everywhere' }, async (t) => {
  const folder = path.join(temporaryFolder(t), 'closed')
  mkdirSync(folder, { mode: 0o500 })
  t.teardown(() => chmodSync(folder, 0o700))
  const instance = await startInstance(t, { DATABASE_URL: `pglite:${folder}/db` })
  t.equal(await instance.exit, 5)
  t.match(instance.output(), /data directory .* cannot be made \(EACCES\)/)
  t.same(readdirSync(folder), [])
})
