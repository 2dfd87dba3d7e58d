import { fstatSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { databaseCode } from '../../db/errors.ts'
import { transaction } from '../../db/transaction.ts'
import { buildApp } from '../app.ts'
import { databaseOptions, loadConfig, loadOwnApp } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readShell } from '../config/shell.ts'
import type { Shell } from '../config/shell.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { record } from '../domain/activity/record.ts'
import { createConsoleAccess } from '../http/operator.ts'
import type { Operator } from '../http/operator.ts'
import { createConsoleTimeout, createConsoleOutput, greeting } from './console-output.ts'
import type { ConsoleTimeout, ConsoleOutput } from './console-output.ts'
import { UsageError } from './errors.ts'
import { commandLine } from './portal.ts'

export interface ConsoleOptions {
  write?: true
  port?: number
  socket?: true
  /** Minutes. */
  idle: number
}

const hours = 8
/** Milliseconds for responses that are under way, and for the last record. */
const closeLimit = 2000

/** One operator sends few requests at a time. */
const poolMax = 4

/** Serves the console until it is ended. */
export async function runConsole({ write, port, socket, idle }: ConsoleOptions) {
  const config = loadConfig()
  const ownApp = await loadOwnApp(config.APP)
  const database = await openDatabase(config.DATABASE_URL, { ...databaseOptions(config), poolMax })
  const life = createConsoleTimeout({ idle: idle * 60_000, longest: hours * 3_600_000 })
  const lines = createConsoleOutput(database.db)
  const operator = operatorOf({ database, life, lines, canWrite: write === true })
  const app = buildApp(consoleConfig(config), { database, operator, ownApp })
  const terminal = openTerminal(life)
  let place: ConsoleListener | undefined
  try {
    if (!(await isUpToDate(database, ownApp?.definition))) {
      throw new UsageError('The database lacks changes of this version. Run: portal migrate')
    }
    await app.ready()
    const shell = readShell()
    place = socket ? await listenOnSocket(app, shell) : await listenOnPort(app, port, shell)
    const { origin, tunnel } = place
    await recordStart(database, operator, lines)
    const link = () => `${origin}/console#start=${operator.access.issueLink()}`
    lines.print(greeting({ environment: config.NODE_ENV, operator, idle, hours, tunnel }, link()))
    terminal.onEnter(() => lines.print(`  ${link()}\n`))
    const reason = await life.ended
    // Be silent first: a process whose reader has gone ends with its next line.
    if (terminal.isGone()) lines.silence()
    await recordEnd(database, operator)
    lines.say(`The console ends: ${reason}.`)
  } finally {
    life.end('')
    await close(app)
    place?.remove()
    if (terminal.isGone()) terminal.hangUp()
  }
}

/** A console changes no schema and trusts no proxy. Only this machine can send requests to it. */
const consoleConfig = (config: Config): Config => ({
  ...config,
  HOST: '127.0.0.1',
  TRUST_PROXY: [],
  MIGRATE_ON_START: false,
  LOG_LEVEL: 'warn'
})

interface Parts {
  database: Database
  life: ConsoleTimeout
  lines: ConsoleOutput
  canWrite: boolean
}

const operatorOf = ({ database, life, lines, canWrite }: Parts): Operator => ({
  actor: commandLine(),
  canWrite,
  access: createConsoleAccess(() => life.end('there were ten wrong links')),
  database: database.label,
  machine: os.hostname(),
  onSeen: life.seen,
  onConnected: lines.connected,
  onChange: (requestId) => {
    void lines.changed(requestId)
  },
  end: () => life.end('ended in the browser')
})

const codes = { privilege: '42501', readOnly: '25006' }

/** A role that only reads cannot record the start of a console, and need not. */
async function recordStart({ db }: Database, { actor, canWrite }: Operator, lines: ConsoleOutput) {
  try {
    await transaction(db, (tx) =>
      record(tx, actor, 'console.start', { details: { write: canWrite } })
    )
  } catch (error) {
    if (!Object.values(codes).includes(databaseCode(error) ?? '')) throw error
    if (canWrite) {
      throw new UsageError(
        'The role of DATABASE_URL may not write to this database. Leave --write out, or use ' +
          'another role.'
      )
    }
    lines.say('Not recorded in the activity: the role of DATABASE_URL may not write.')
  }
}

/** Gives up after a while, because the database may have failed. */
const recordEnd = ({ db }: Database, { actor }: Operator) =>
  Promise.race([
    transaction(db, (tx) => record(tx, actor, 'console.end')).catch(() => {}),
    sleep(closeLimit, undefined, { ref: false })
  ])

async function close(app: FastifyInstance) {
  const limit = setTimeout(() => app.server.closeAllConnections(), closeLimit)
  await app.close()
  clearTimeout(limit)
}

/** Where the console can be reached, and how to get there. */
interface ConsoleListener {
  /** The origin of the link, on the machine with the browser. */
  origin: string
  /** The tunnel from the operator's own machine, if one is needed or likely. */
  tunnel: string | undefined
  /** Removes what listening has left on the disk. */
  remove(): void
}

/** Listens on loopback. @param port a free one if undefined */
async function listenOnPort(
  app: FastifyInstance,
  port: number | undefined,
  shell: Shell
): Promise<ConsoleListener> {
  try {
    await app.listen({ host: '127.0.0.1', port: port ?? 0 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UsageError(
      code === 'EACCES'
        ? `This user may not listen on port ${port}. Choose one above 1023.`
        : `Another process uses port ${port}. Choose another one.`
    )
  }
  const address = app.server.address()
  const used = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${used}`,
    tunnel: shell.ssh && sshTo(shell, used, `127.0.0.1:${used}`),
    remove() {}
  }
}

/** The port at the browser's end of a tunnel, which has to have one. */
const tunnelPort = 41_873

/** Listens on a socket in a folder that only this user can enter. It goes with the process. */
async function listenOnSocket(app: FastifyInstance, shell: Shell): Promise<ConsoleListener> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-console-')) // mode 0700
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const socket = path.join(folder, 'socket')
  await app.listen({ path: socket })
  return {
    origin: `http://127.0.0.1:${tunnelPort}`,
    tunnel: sshTo(shell, tunnelPort, socket),
    remove
  }
}

function sshTo({ ssh, sudoUser }: Shell, port: number, target: string) {
  const user = sudoUser ?? os.userInfo().username
  const server = ssh && ssh.port !== 22 ? `-p ${ssh.port} ` : ''
  return `ssh -N -L ${port}:${target} ${server}${user}@${ssh?.address ?? os.hostname()}`
}

const signals = {
  SIGINT: 'Ctrl-C',
  SIGTERM: 'SIGTERM',
  SIGHUP: 'the terminal has closed'
} as const

/** Listens to the keys of the operator, and notices when their terminal closes. */
function openTerminal(life: ConsoleTimeout) {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd))
  for (const [signal, reason] of Object.entries(signals)) {
    process.on(signal, () => life.end(reason))
  }
  // Without a terminal, as in `ssh HOST portal console`, nothing sends SIGHUP at its end.
  if (hasOtherEnd()) process.stdin.on('close', () => life.end('its input has ended'))
  process.stdin.on('error', () => {}) // the terminal has closed
  return {
    /** Whether it was closed: then nothing can be written to it. */
    isGone: () => !terminals.every((fd) => isatty(fd)),
    onEnter(print: () => void) {
      process.stdin.on('data', (typed) => {
        if (typed.includes('\n')) print()
      })
    },
    /**
     * Ends the process as SIGHUP does by itself. Node aborts when it exits after its terminal has
     * gone, and the system may keep a copy of its memory, which has the keys of the portal.
     */
    hangUp() {
      process.removeAllListeners('SIGHUP')
      process.kill(process.pid, 'SIGHUP')
    }
  }
}

/** Whether somebody holds the other end of the input. With /dev/null or a file, nobody types. */
function hasOtherEnd() {
  const input = fstatSync(0)
  return isatty(0) || input.isFIFO() || input.isSocket()
}
