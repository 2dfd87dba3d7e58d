import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { clean, createTestFolder, dropDatabase, testFolder } from './postgres.ts'
import { built } from './root.ts'

const stateFile = path.join(testFolder, 'state.json')
const maxWait = 120_000

/** The database server that all test files share. */
export interface TestServer {
  /** The URL of a PostgreSQL server, or `pglite:memory`. */
  url: string
  /** On PostgreSQL, the migrated database to clone. */
  template: string
  /** The folder of the socket of a server that this run has started. */
  socket?: string
}

/**
 * Precedes the name of every database of this run, by which `npm run check -- engine` knows them.
 */
export const databasePrefix = process.env.TEST_DATABASE_PREFIX ?? ''
/** False for an engine that cannot create a database from a template: each one is migrated. */
export const canClone = process.env.TEST_DATABASE_CLONE !== 'off'
/** A pooler in front of the server, for `npm run check -- pooler`. */
export const pooler = process.env.TEST_POOLER_URL
/** Transactions take the server's default isolation level (`npm run check -- isolation`). */
export const serverIsolation = process.env.DATABASE_ISOLATION === 'default'

type State = TestServer | { failure: string }

let server: Promise<TestServer> | undefined

/** Started for the first test of a run that needs it. The runner stops it at the end. */
export const testServer = () => (server ??= start())

async function start(): Promise<TestServer> {
  createTestFolder()
  if (isFirst()) {
    await promisify(execFile)(process.execPath, [
      path.join(built, 'test/support/prepare.js')
    ]).catch((error: Error) => writeState({ failure: error.message }))
  }
  for (const end = Date.now() + maxWait; Date.now() < end; await sleep(50)) {
    const state = readState()
    if (!state) continue
    if ('failure' in state) throw new Error(`The test database cannot be used: ${state.failure}`)
    return state
  }
  throw new Error(`The test database was not ready within ${maxWait / 1000} seconds.`)
}

/** Only one of several processes creates the folder. */
function isFirst() {
  try {
    mkdirSync(path.join(testFolder, 'starting'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Written to a temporary file and moved, so that no one reads a partial file. */
export function writeState(state: State) {
  writeFileSync(`${stateFile}.new`, JSON.stringify(state))
  renameSync(`${stateFile}.new`, stateFile)
}

function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8')) as State
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Releases the resources of the run.
 * @public used by test/run.js
 */
export async function stopTestServer() {
  const state = readState()
  if (process.env.TEST_DATABASE_URL && state && 'url' in state && state.url !== 'pglite:memory') {
    const admin = postgres(state.url, { max: 1, onnotice: () => {} })
    await dropDatabase(admin, state.template)
    await admin.end()
  }
  await clean(testFolder)
}
