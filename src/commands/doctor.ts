import type { Command } from 'commander'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { awayHint, DatabaseUnusable } from '../../db/errors.ts'
import { serverFacts } from '../../db/facts.ts'
import { missingGrants } from '../../db/grants.ts'
import { ConfigError, databaseOptions, loadConfig, loadDatabaseConfig } from '../config.ts'
import type { Config } from '../config.ts'
import { hasActiveAdmin } from '../domain/last-admin.ts'
import { isUpToDate } from '../domain/registry.ts'
import { exitCodes } from './errors.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, write } from './output.ts'
import { version } from '../version.ts'

/** `warning` is for what works, but should be looked at. */
interface Finding { check: string, result: 'ok' | 'warning' | 'problem', finding: string, todo?: string }

const oldestVersion = 15
/** Milliseconds by which two clocks may differ before somebody should look. */
const clockTolerance = 5000

const ok = (check: string, finding: string): Finding => ({ check, result: 'ok', finding })
const warning = (check: string, finding: string, todo: string): Finding => ({ check, result: 'warning', finding, todo })
const problem = (check: string, finding: string, todo: string): Finding => ({ check, result: 'problem', finding, todo })

export function addDoctorCommand (program: Command) {
  const doctor = asData(program.command('doctor')
    .description('look for what is wrong, and say what to do about it; exit code 1 when something is'))
  example(doctor, 'portal doctor')
  doctor.action(async ({ json }: Json) => {
    const findings = await examine()
    await (json ? printJson(findings) : write(findings.map(toLines).join('')))
    if (findings.some(({ result }) => result === 'problem')) process.exitCode = exitCodes.failed
  })
}

const marks = { ok: '✓', warning: '!', problem: '✗' }
const toLines = ({ check, result, finding, todo }: Finding) =>
  `${marks[result]} ${check}: ${finding}\n${todo ? `    ${todo}\n` : ''}`

async function examine (): Promise<Finding[]> {
  const findings = [ok('version', `portal ${version} on Node ${process.version}`), ...configuration()]
  let database: Database | undefined
  try {
    const config = loadDatabaseConfig()
    database = await openDatabase(config.DATABASE_URL, { ...databaseOptions(config), poolMax: 1 })
    findings.push(...await databaseFindings(database))
  } catch (error) {
    findings.push(error instanceof ConfigError
      ? problem('database', 'not looked at', 'Mend the configuration first.')
      : problem('database', error instanceof DatabaseUnusable ? error.message : `cannot be used: ${awayHint(error)}`, 'Check that it runs, that DATABASE_URL names it, and that this machine may connect.'))
  } finally {
    await database?.close()
  }
  return findings
}

function configuration (): Finding[] {
  const todo = 'Correct the environment variable, then start the portal again.'
  try {
    const config = loadConfig()
    return [ok('configuration', 'complete'), ...config.warnings.map((text) => warning('configuration', text, todo)), proxy(config)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((text) => problem('configuration', text, todo))
  }
}

function proxy ({ PUBLIC_ORIGIN, TRUST_PROXY }: Config): Finding {
  const behind = PUBLIC_ORIGIN.startsWith('https:')
  if (behind && TRUST_PROXY.length === 0) {
    return warning('proxy', 'PUBLIC_ORIGIN is https and TRUST_PROXY is empty: every client has the address of the proxy', 'Set TRUST_PROXY to the addresses of the proxies in front.')
  }
  return ok('proxy', TRUST_PROXY.length === 0 ? 'none' : `trusted: ${TRUST_PROXY.join(', ')}`)
}

async function databaseFindings (database: Database): Promise<Finding[]> {
  const { version, now, statementTimeout, lockTimeout, idleInTransactionTimeout } = await serverFacts(database.db)
  const findings = [version < oldestVersion
    ? problem('database', `${database.label}, version ${version}`, `Use PostgreSQL ${oldestVersion} or newer.`)
    : ok('database', `${database.label}, version ${version}`)]

  const difference = Math.round(Math.abs(Date.now() - now))
  findings.push(difference > clockTolerance
    ? warning('clock', `this machine's and the database's differ by ${difference} ms`, 'Keep both by NTP: the database\'s decides when sessions end.')
    : ok('clock', `${difference} ms from the database's`))

  const unset = Object.entries({ statement_timeout: statementTimeout, lock_timeout: lockTimeout, idle_in_transaction_session_timeout: idleInTransactionTimeout }).filter(([, value]) => value === '0').map(([name]) => name)
  if (!database.embedded) {
    findings.push(unset.length > 0
      ? warning('limits', `the role has no ${unset.join(', ')}`, 'ALTER ROLE … SET statement_timeout = \'5s\', lock_timeout = \'2s\' and idle_in_transaction_session_timeout = \'10s\', one statement each.')
      : ok('limits', 'the role has its timeouts'))
  }

  const grants = await missingGrants(database.db)
  if (grants.length > 0) {
    // What the role cannot read is not looked at.
    return [...findings, problem('privileges', 'the role of DATABASE_URL lacks some that the server needs',
      ['Run as the owner of the tables:', ...grants].join('\n    '))]
  }
  if (!database.embedded) findings.push(ok('privileges', 'the role has what the server needs'))

  const migrated = await isUpToDate(database)
  findings.push(migrated ? ok('schema', 'up to date') : problem('schema', 'older than this portal', 'Run: portal migrate'))
  if (migrated) {
    findings.push(await hasActiveAdmin(database.db)
      ? ok('administrator', 'there is one')
      : problem('administrator', 'there is none that is active', 'Run: portal admin create --email ops@example.com'))
  }
  return findings
}
