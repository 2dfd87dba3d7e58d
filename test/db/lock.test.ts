import { spawn } from 'node:child_process'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { lockDirectory } from '../../db/lock.ts'
import { temporaryFolder } from '../helpers.ts'

const inUse = { name: 'DatabaseUnusable', message: /in use by process/ }

t.test('a directory is locked once, and free again when given back', async (t) => {
  const directory = path.join(temporaryFolder(t), 'db')
  const unlock = lockDirectory(directory)
  t.throws(() => lockDirectory(directory), inUse)
  unlock()
  t.equal(existsSync(`${directory}.lock`), false)
  lockDirectory(directory)()
})

t.test('what a dead process left is taken over', async (t) => {
  const directory = path.join(temporaryFolder(t), 'db')
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.on('exit', resolve))
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid: child.pid, host: hostname(), started: '' }))
  const unlock = lockDirectory(directory)
  t.match(JSON.parse(readFileSync(`${directory}.lock`, 'utf8')), { pid: process.pid })
  unlock()
})

if (process.platform === 'linux') {
  t.test('a number that was given to another process since is no owner', async (t) => {
    const directory = path.join(temporaryFolder(t), 'db')
    writeFileSync(`${directory}.lock`, JSON.stringify({ pid: process.ppid, host: hostname(), started: 'another-boot/1' }))
    lockDirectory(directory)()
  })
}

t.test('of an owner on another host the heartbeat decides', async (t) => {
  const directory = path.join(temporaryFolder(t), 'db')
  const file = `${directory}.lock`
  writeFileSync(file, JSON.stringify({ pid: 1, host: 'elsewhere', started: 'x' }))
  t.throws(() => lockDirectory(directory), { message: /in use by process 1 on elsewhere/ })
  const longAgo = new Date(Date.now() - 31_000)
  utimesSync(file, longAgo, longAgo)
  lockDirectory(directory)()
})

t.test('a lock file that is being written belongs to somebody, an old fragment to nobody', async (t) => {
  const directory = path.join(temporaryFolder(t), 'db')
  const file = `${directory}.lock`
  writeFileSync(file, '')
  t.throws(() => lockDirectory(directory), inUse)
  const longAgo = new Date(Date.now() - 31_000)
  utimesSync(file, longAgo, longAgo)
  lockDirectory(directory)()
})
