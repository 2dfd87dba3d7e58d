import { readFileSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseUnusable } from './errors.ts'

interface Owner { pid: number, host: string, started: string }

const heartbeat = 5000
/** Of an owner on another host only the heartbeat is seen. */
const silence = 30_000

/**
 * Takes the directory for this process alone, by a file beside it, and returns the function that gives it back.
 * PGlite does not guard its directory: a second process opens it without error and loses writes.
 * What a dead process left is taken over. Throws DatabaseUnusable when another process lives in it.
 */
export function lockDirectory (directory: string): () => void {
  const file = `${directory}.lock`
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: processStart(process.pid) } satisfies Owner)
  try {
    if (!create(file, mine)) takeOver(file, mine)
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(`The lock file ${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Give this user write access to its folder, and its disk room.`, { cause: error })
  }
  const timer = setInterval(() => {
    if (read(file) !== mine) throw new DatabaseUnusable(`The lock file ${file} was taken away: stopping before two processes write to one directory.`)
    utimesSync(file, new Date(), new Date())
  }, heartbeat).unref()
  return () => {
    clearInterval(timer)
    if (read(file) === mine) unlinkSync(file)
  }
}

/** One process at a time judges and replaces a stale file: without that, two could both find it stale and both win. */
function takeOver (file: string, mine: string) {
  const turn = `${file}.takeover`
  if (age(turn) > silence) rmSync(turn, { force: true })
  if (!create(turn, mine)) throw new DatabaseUnusable('Another process is starting on this data directory just now. Try again in a moment.')
  try {
    const owner = liveOwner(file)
    if (owner) {
      throw new DatabaseUnusable(`The data directory is in use by process ${owner.pid}${owner.host === hostname() ? '' : ` on ${owner.host}`}. ` +
        'An embedded database belongs to one process: stop that one first, or use PostgreSQL.')
    }
    const next = `${file}.${process.pid}`
    writeFileSync(next, mine)
    renameSync(next, file)
  } finally {
    rmSync(turn, { force: true })
  }
}

function liveOwner (file: string): Owner | undefined {
  const text = read(file)
  if (text === undefined) return undefined
  const fresh = age(file) < silence
  const owner = parse(text)
  // Half written: its owner is writing it now, or died doing so.
  if (!owner) return fresh ? { pid: 0, host: hostname(), started: '' } : undefined
  if (owner.host !== hostname()) return fresh ? owner : undefined
  if (!isRunning(owner.pid)) return undefined
  const started = processStart(owner.pid)
  if (started === '' || owner.started === '') return fresh ? owner : undefined
  return started === owner.started ? owner : undefined // else the number was given to another process
}

function create (file: string, text: string) {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read (file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parse (text: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(text)
    return owner !== null && typeof owner === 'object' && 'pid' in owner && 'host' in owner && 'started' in owner &&
      typeof owner.pid === 'number' && typeof owner.host === 'string' && typeof owner.started === 'string'
      ? { pid: owner.pid, host: owner.host, started: owner.started }
      : undefined
  } catch {
    return undefined
  }
}

const age = (file: string) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())

function isRunning (pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process began, in clock ticks of this boot, where the system tells (Linux); else an empty string. */
function processStart (pid: number) {
  const stat = read(`/proc/${pid}/stat`)
  const boot = read('/proc/sys/kernel/random/boot_id')
  // Fields 3 (state) and 22 (start), counted after the command name, which may hold spaces and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields?.[0] === 'Z') return 'ended'
  return fields?.[19] && boot ? `${boot.trim()}/${fields[19]}` : ''
}
