import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import {
  causeOf,
  databaseCode,
  DatabaseUnusable,
  sentenceOf,
  unavailableHint
} from '../../db/errors.ts'
import {
  ConfigError,
  databaseOptions,
  isAppError,
  loadConfig,
  loadDatabaseConfig,
  withMigrationsOf
} from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { version } from '../version.ts'
import { appOption, loadGivenApp } from './app.ts'
import { command } from './command.ts'
import { databaseFindings } from './database-findings.ts'
import { exitCodes } from './exit-codes.ts'
import { findingsOf, ok, problem, warning } from './findings.ts'
import type { Finding } from './findings.ts'
import { mailServerFindings } from './mail.ts'
import { plain, printJson, write } from './output.ts'
import { providerFindings } from './providers.ts'
import { commandFindings, proxyFindings } from './proxy-findings.ts'
import { supportFinding } from './support-findings.ts'

export const doctorCommand = command({
  what:
    'check the configuration, the database and the mail server, and say how to fix problems; ' +
    'exit code 1 on a problem',
  options: [appOption],
  examples: ['', '--app ./app'],
  async run({ json }) {
    const findings = await examine()
    await (json ? printJson(findings) : write(findings.map(toLines).join('')))
    if (findings.some(({ result }) => result === 'problem')) process.exitCode = exitCodes.failed
  }
})

const marks = { ok: '✓', warning: '!', problem: '✗' }
const toLines = ({ check, result, finding, todo }: Finding) =>
  `${marks[result]} ${check}: ${finding}\n${todo ? `    ${todo}\n` : ''}`

async function examine(): Promise<Finding[]> {
  const server = serverConfig()
  const findings = [...findingsOf('version', versionFinding()), ...server.findings]
  let database: Database | undefined
  let isReached = false
  try {
    const config = loadDatabaseConfig()
    const ownApp = await loadGivenApp()
    database = await openDatabase(config.DATABASE_URL, {
      ...databaseOptions(config),
      poolMax: 4 // enough to notice a proxy that chooses a server for each
    })
    database = await withMigrationsOf(ownApp, database)
    const { DATABASE_POOL_MAX: poolMax } = config
    for await (const finding of databaseFindings(database, poolMax, server.config, ownApp)) {
      findings.push(finding)
      isReached = true
    }
  } catch (error) {
    const outcome =
      notChecked(error) ?? (isReached ? notFinished(error) : cannotBeUsed(error, database))
    findings.push({ check: isAppError(error) ? 'app' : 'database', ...outcome })
  } finally {
    await database?.close()
  }
  if (!server.config) return findings
  const outside = [
    mailServerFindings(server.config),
    providerFindings(server.config),
    commandFindings(server.config)
  ]
  return [...findings, ...(await Promise.all(outside)).flat()]
}

function notChecked(error: unknown) {
  if (error instanceof ConfigError) return problem('not checked', 'Fix the configuration first.')
  if (!isAppError(error)) return undefined
  return problem(error.message, 'Correct the app first. The database was not checked.')
}

const generally =
  'Check that it is running, that DATABASE_URL is right, and that this machine may connect.'

const cannotBeUsed = (error: unknown, database?: Database) =>
  error instanceof DatabaseUnusable
    ? problem(error.message, generally)
    : problem(
        `cannot be used: ${unavailableHint(error)} (${database?.label})${quoted(error)}`,
        causeOf(error)?.remedy ?? generally
      )

/** The server's own sentence. Nobody but the operator sees it. */
function quoted(error: unknown) {
  const sentence = sentenceOf(error)
  return sentence === undefined ? '' : `: ${plain(sentence)}`
}

/** A later check failed: the first one has reached the database. */
const notFinished = (error: unknown) =>
  problem(
    `the next check failed with ${databaseCode(error) ?? String(error)}${quoted(error)}, and the ` +
      'remaining checks were skipped',
    `${causeOf(error)?.remedy ?? 'Correct the cause.'} Then run portal doctor again.`
  )

const versionFinding = () =>
  supportFinding(
    'Node',
    parseInt(process.versions.node),
    `portal ${version} on Node ${process.version}`
  )

/** The configuration, if it is that of the server. */
function serverConfig(): { config?: Config; findings: Finding[] } {
  const todo = 'Correct the environment variable, then start the portal again.'
  try {
    const config = loadConfig()
    const found = [ok('complete'), ...config.warnings.map((text) => warning(text, todo))]
    return { config, findings: [...findingsOf('configuration', found), ...proxyFindings(config)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const found = error.problems.map((text) => problem(text, todo))
    return { findings: findingsOf('configuration', found) }
  }
}
