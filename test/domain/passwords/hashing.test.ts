// Not on PGlite: it uses no database.

import { lookup } from 'node:dns/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { hash } from '@node-rs/bcrypt'
import t from 'tap'
import { startHashing } from '../../../src/domain/passwords/hashing.ts'

/** Niceness of every thread of this process (proc(5): the 19th field of stat). */
const priorities = () =>
  readdirSync('/proc/self/task').map((thread) =>
    Number(
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[16]
    )
  )

const work = { cost: 4, foreign: {} }

t.test('hashes are bcrypt hashes that any bcrypt can verify', async (t) => {
  const hashing = startHashing(1)
  t.teardown(() => hashing.stop())
  t.match(await hashing.hash('correct horse', 5), /^\$2b\$05\$/)
  t.equal(await hashing.verify('correct horse', await hash('correct horse', 4), work), true)
  t.equal(await hashing.verify('correct Horse', await hash('correct horse', 4), work), false)
})

t.test('a failed hash is rejected and does not affect the next', async (t) => {
  const hashing = startHashing(1)
  t.teardown(() => hashing.stop())
  await t.rejects(hashing.hash('correct horse', 99))
  t.match(await hashing.hash('correct horse', 4), /^\$2b\$04\$/)
})

t.test('file access and name lookups do not wait for hashes', async (t) => {
  const hashing = startHashing(2)
  t.teardown(() => hashing.stop())
  let hashed = 0
  const all = Array.from({ length: 12 }, async () => {
    await hashing.hash('correct horse', 9)
    hashed++
  })
  await Promise.race(all)
  await lookup('localhost') // in Node's thread pool it would wait for eight hashes
  t.ok(hashed < 8, `after ${hashed} of 12`)
  await Promise.all(all)
})

t.test(
  'only the hashing threads have a low priority',
  { skip: process.platform !== 'linux' && "a priority is the whole process's" },
  async (t) => {
    const before = priorities().filter((nice) => nice === 5).length
    const hashing = startHashing(2)
    await Promise.all([hashing.hash('correct horse', 10), hashing.hash('correct horse', 10)])
    t.equal(priorities().filter((nice) => nice === 5).length - before, 2)
    await hashing.stop()
    t.equal(
      priorities().filter((nice) => nice === 5).length,
      before,
      'they end when they are stopped'
    )
  }
)
