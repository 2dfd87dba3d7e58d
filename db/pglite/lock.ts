import {
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnusable } from '../errors.ts'

/** A lock file at one moment. */
interface Sighting {
  text: string
  beat: number
}

const heartbeat = 5000
/** Milliseconds without a heartbeat, after which an owner that cannot be checked counts as dead. */
const silence = 30_000
const lookAgain = 100

/**
 * Locks the directory for this process, by a file beside it, and returns the function that unlocks
 * it. PGlite does not protect its directory: a second process opens it without an error and loses
 * writes.
 *
 * The lock of a dead process is taken over. On the host and in the pid namespace of the owner, the
 * system knows whether it is alive. In another container or on another host its number means
 * nothing, so its heartbeat is watched for up to 30 seconds.
 *
 * Node has no flock(). A listening socket instead of the file would be freed by the system, but it
 * belongs to one kernel: on a shared or network file system it would look like that of a dead
 * process everywhere else. It also has a longest path of 107 bytes, does not exist on Windows, and
 * replacing one that is left over needs a lock of its own.
 * @throws DatabaseUnusable when the owner is alive
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const file = `${directory}.lock`
  const mine = JSON.stringify(thisProcess)
  try {
    while (!create(file, mine)) {
      const dead = await findDeadOwner(file)
      if (dead && takeOver(file, dead, mine)) break
    }
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new DatabaseUnusable(
      `The lock file ${file} cannot be written (${code}). ` +
        'Give this user write access to its folder and make sure that the disk has room.',
      { cause: error }
    )
  }
  const timer = setInterval(() => {
    if (!isMine(file, mine)) {
      throw new DatabaseUnusable(
        `The lock file ${file} was removed or replaced: ` +
          'stopping before two processes write to one directory.'
      )
    }
    utimesSync(file, new Date(), new Date())
  }, heartbeat).unref()
  return () => {
    clearInterval(timer)
    if (isMine(file, mine)) unlinkSync(file)
  }
}

/** The lock file of a dead owner; undefined when there is none. Throws when the owner is alive. */
async function findDeadOwner(file: string): Promise<Sighting | undefined> {
  const first = look(file)
  if (!first) return undefined
  // Undefined for a file that is incomplete because its process is starting, or has died.
  const owner = parse(first.text)
  const alive = owner && isAlive(owner)
  if (alive === true) throw inUse(owner)
  if (alive === false) return first
  // A heartbeat in the future, after the clock was set back, counts as one of now.
  const silent = Math.max(0, Date.now() - first.beat)
  const deadline = performance.now() + silence - silent
  while (performance.now() < deadline) {
    await sleep(lookAgain)
    const now = look(file)
    if (!now) return undefined
    if (!isSame(now, first)) throw inUse(parse(now.text) ?? owner)
  }
  return first
}

/** False when the file has changed. One process at a time replaces it, so that only one can win. */
function takeOver(file: string, dead: Sighting, mine: string) {
  const turn = `${file}.takeover`
  const left = look(turn)
  if (left && Date.now() - left.beat > silence) rmSync(turn, { force: true })
  if (!create(turn, mine)) {
    throw new DatabaseUnusable(
      'Another process is starting on this data directory. Try again in a moment.'
    )
  }
  try {
    const now = look(file)
    if (!now || !isSame(now, dead)) return false
    const next = `${file}.${process.pid}`
    writeFileSync(next, mine, { mode: 0o600 })
    renameSync(next, file)
    return true
  } finally {
    rmSync(turn, { force: true })
  }
}

function inUse(owner: ProcessIdentity | undefined) {
  const { host, namespace } = thisProcess
  let who = 'a process that is starting'
  if (owner) {
    who = `process ${owner.pid}`
    if (owner.host !== host) who += ` on ${owner.host}`
    else if (owner.namespace !== namespace) who += ' of another container'
  }
  return new DatabaseUnusable(
    `The data directory is in use by ${who}. ` +
      'An embedded database belongs to one process: stop that one first, or use PostgreSQL.'
  )
}

function create(file: string, text: string) {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Opens the file, because a network file system may answer a mere stat() from its cache. */
function look(file: string): Sighting | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), beat: statSync(file).mtimeMs }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isMine(file: string, mine: string) {
  try {
    return readFileSync(file, 'utf8') === mine
  } catch {
    return false
  }
}

const isSame = (a: Sighting, b: Sighting) => a.text === b.text && a.beat === b.beat
const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

function parse(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity
  } catch {
    return undefined
  }
}

/** A process and the scope of its number: two containers may each have a process 1. */
interface ProcessIdentity {
  pid: number
  host: string
  /** On Linux the boot id and the pid namespace, else the system's name; empty when unknown. */
  namespace: string
  /** The start of the process, in clock ticks since boot; empty when unknown. */
  started: string
}

export const thisProcess: ProcessIdentity = {
  pid: process.pid,
  host: hostname(),
  namespace: pidNamespace(),
  started: startOf(process.pid)
}

/** Whether a process is alive. Undefined when its number is from elsewhere, or may be reused. */
function isAlive(other: ProcessIdentity): boolean | undefined {
  const { host, namespace } = thisProcess
  if (other.host !== host || other.namespace !== namespace || namespace === '') return undefined
  if (!isRunning(other.pid)) return false
  const started = startOf(other.pid)
  return started === '' || other.started === '' ? undefined : started === other.started
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * The number of a namespace may be reused after its end, but its processes started earlier than
 * those of the next one.
 */
function pidNamespace() {
  if (process.platform !== 'linux') return process.platform
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

function startOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields 3 (state) and 22 (start). The command name before may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
