import {
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnusable } from '../errors.ts'
import { isAlive, thisProcess } from './process.ts'
import type { ProcessIdentity } from './process.ts'

/** A lock file as it was at one moment. */
interface Sighting {
  text: string
  beat: number
}

const heartbeat = 5000
/** An owner that cannot be seen from here is dead when its heart has not beaten for this long. */
const silence = 30_000
const lookAgain = 100

/**
 * Takes the directory for this process alone, by a file beside it, and returns the function that
 * unlocks it. PGlite does not guard its directory: a second process opens it without an error and
 * loses writes.
 *
 * The lock of a dead process is taken over. On the owner's host and in its pid namespace the system
 * says whether it lives. From another container or host its number says nothing: its heartbeat is
 * watched, for 30 s at most. (A lock of the kernel would need native code: Node has no flock.)
 * @throws DatabaseUnusable when the owner lives
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

/** The last sighting of a dead owner; undefined when the file is gone. Throws when it lives. */
async function findDeadOwner(file: string): Promise<Sighting | undefined> {
  const first = look(file)
  if (!first) return undefined
  const owner = parse(first.text) // undefined: half written by a process that is starting, or died
  const alive = owner && isAlive(owner)
  if (alive === true) throw inUse(owner)
  if (alive === false) return first
  // A beat in the future (the clock was set back) counts as one of now.
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

/** False when the file changed since. One process at a time replaces it: else two could win. */
function takeOver(file: string, dead: Sighting, mine: string) {
  const turn = `${file}.takeover`
  const left = look(turn)
  if (left && Date.now() - left.beat > silence) rmSync(turn, { force: true })
  if (!create(turn, mine)) {
    throw new DatabaseUnusable(
      'Another process is starting on this data directory right now. ' + 'Try again in a moment.'
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

/** Opens the file each time: a network file system then asks its server, unlike for a stat. */
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

/** Fields that an earlier version did not write are empty: then only the heartbeat counts. */
function parse(text: string): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(text) as Partial<ProcessIdentity> | null
    if (typeof owner?.pid !== 'number' || typeof owner.host !== 'string') return undefined
    const { pid, host, namespace = '', started = '' } = owner
    return { pid, host, namespace, started }
  } catch {
    return undefined
  }
}
