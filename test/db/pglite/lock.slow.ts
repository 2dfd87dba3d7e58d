import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import type { Test } from 'tap'
import { lockDirectory as lock, thisProcess } from '../../../db/pglite/lock.ts'
import { temporaryFolder } from '../../support/app.ts'

const inUse = { name: 'DatabaseUnusable', message: /in use by process/ }
const isolated = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const [unshare = '', ...isolation] = isolated
const noNamespaces =
  spawnSync(unshare, [...isolation, 'true']).status === 0
    ? false
    : 'unshare cannot create a pid namespace here'

const lockDirectory = async (directory: string) => lock(directory)
const aDirectory = (t: Test) => path.join(temporaryFolder(t), 'db')
const textOf = (directory: string) => readFileSync(`${directory}.lock`, 'utf8')
const ownerOf = (directory: string) => JSON.parse(textOf(directory)) as object

/** Sets the last heartbeat to `seconds` ago. */
function beatAgo(directory: string, seconds: number) {
  const time = new Date(Date.now() - seconds * 1000)
  utimesSync(`${directory}.lock`, time, time)
}

/** Another process that tries to lock the directory, and the first line it prints. */
async function aHolder(t: Test, directory: string, prefix: string[] = []) {
  const node = [process.execPath, path.join(import.meta.dirname, 'lock-holder.js')]
  const [command = '', ...args] = [...prefix, ...node, directory]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(kill)
  const [said] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { said, kill }
}

t.test('a directory can be locked once, and again after it is unlocked', async (t) => {
  const directory = aDirectory(t)
  const unlock = await lockDirectory(directory)
  await t.rejects(lockDirectory(directory), inUse)
  unlock()
  t.equal(existsSync(`${directory}.lock`), false)
  const again = await lockDirectory(directory)
  again()
})

t.test('the lock of a process that was killed is taken over', async (t) => {
  const directory = aDirectory(t)
  const { said, kill } = await aHolder(t, directory)
  t.equal(said, 'locked')
  await t.rejects(lockDirectory(directory), inUse)
  await kill()
  const unlock = await lockDirectory(directory)
  t.match(ownerOf(directory), { pid: process.pid })
  unlock()
})

t.test(
  'a process that reuses the pid of a dead owner is not the owner',
  {
    skip: process.platform === 'linux' ? false : 'only Linux says when a process started'
  },
  async (t) => {
    const directory = aDirectory(t)
    const unlock = await lockDirectory(directory)
    const mine = ownerOf(directory)
    unlock()
    writeFileSync(`${directory}.lock`, JSON.stringify({ ...mine, pid: process.ppid, started: '1' }))
    const taken = await lockDirectory(directory)
    t.match(ownerOf(directory), { pid: process.pid })
    taken()
  }
)

for (const [what, pid] of [
  ['no process', 2 ** 22 + 1],
  ['another process', process.ppid],
  ['this process', process.pid]
] as const) {
  t.test(
    `an owner in another namespace whose pid here is that of ${what} keeps the lock by its heartbeat`,
    async (t) => {
      const directory = aDirectory(t)
      const unlock = await lockDirectory(directory)
      const mine = ownerOf(directory)
      unlock()
      for (const [elsewhere, place] of [
        [{ host: 'elsewhere' }, 'on elsewhere'],
        [{ namespace: 'elsewhere' }, 'of another container']
      ] as const) {
        const owner = JSON.stringify({ ...mine, pid, ...elsewhere })
        writeFileSync(`${directory}.lock`, owner)
        const heart = setInterval(() => {
          beatAgo(directory, 0)
        }, 50)
        t.teardown(() => clearInterval(heart))
        await t.rejects(lockDirectory(directory), {
          name: 'DatabaseUnusable',
          message: new RegExp(`in use by process ${pid} ${place}`)
        })
        clearInterval(heart)
        t.equal(textOf(directory), owner, "the lock is still the owner's")
        beatAgo(directory, 29.5)
        const taken = await lockDirectory(directory)
        t.match(ownerOf(directory), { pid: process.pid }, 'taken over after 30 s without a beat')
        taken()
      }
    }
  )
}

t.test(
  'a partially written lock file belongs to a starting process, unless it is old',
  async (t) => {
    const directory = aDirectory(t)
    writeFileSync(`${directory}.lock`, '')
    const locking = lockDirectory(directory)
    const owner = JSON.stringify({ ...thisProcess, namespace: 'elsewhere' })
    setImmediate(() => writeFileSync(`${directory}.lock`, owner))
    await t.rejects(locking, inUse)
    beatAgo(directory, 31)
    const unlock = await lockDirectory(directory)
    t.match(ownerOf(directory), { pid: process.pid })
    unlock()
  }
)

t.test(
  'processes in different pid namespaces never hold a directory at the same time',
  {
    skip: noNamespaces
  },
  async (t) => {
    const directory = aDirectory(t)
    // Both have pid 1 in separate namespaces with the same host name.
    const first = await aHolder(t, directory, isolated)
    t.equal(first.said, 'locked')
    const second = aHolder(t, directory, isolated)
    await t.rejects(lockDirectory(directory), inUse, 'outside, where 1 is another process')
    t.match((await second).said, /in use by process 1/)
    await first.kill()
    beatAgo(directory, 31)
    const outside = await aHolder(t, directory)
    t.equal(outside.said, 'locked', 'a silent owner has lost it')
    const third = await aHolder(t, directory, isolated)
    t.match(third.said, /in use by process \d+/, 'inside, where its number may not exist')
  }
)
