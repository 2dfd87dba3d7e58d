import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { databaseCode } from '../../db/errors.ts'
import { transaction } from '../../db/transaction.ts'
import { buildApp } from '../app.ts'
import { databaseOptions, loadConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readShell } from '../config/shell.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { record } from '../domain/activity/record.ts'
import { createConsoleAccess } from '../http/operator.ts'
import type { Operator } from '../http/operator.ts'
import { createLife } from './console-life.ts'
import type { Life } from './console-life.ts'
import { createLines, greeting } from './console-lines.ts'
import type { Lines } from './console-lines.ts'
import { listenOnPort, listenOnSocket } from './console-place.ts'
import type { Place } from './console-place.ts'
import { openTerminal } from './console-terminal.ts'
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
  const database = await openDatabase(config.DATABASE_URL, { ...databaseOptions(config), poolMax })
  const life = createLife({ idle: idle * 60_000, longest: hours * 3_600_000 })
  const lines = createLines(database.db)
  const operator = operatorOf({ database, life, lines, canWrite: write === true })
  const app = buildApp(consoleConfig(config), { database, operator })
  const terminal = openTerminal(life)
  let place: Place | undefined
  try {
    if (!(await isUpToDate(database))) {
      throw new UsageError('The database schema is older than this portal. Run: portal migrate')
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
    // Before it is said: a process whose reader has gone ends with its next line.
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

/** What a server does by itself is not for a shell. Only this machine can send requests. */
const consoleConfig = (config: Config): Config => ({
  ...config,
  HOST: '127.0.0.1',
  TRUST_PROXY: [],
  MIGRATE_ON_START: false,
  LOG_LEVEL: 'warn'
})

interface Parts {
  database: Database
  life: Life
  lines: Lines
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

/** A role that only reads cannot record it, and need not. */
async function recordStart({ db }: Database, { actor, canWrite }: Operator, lines: Lines) {
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

/** Not at any price: the database may be what has failed. */
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
