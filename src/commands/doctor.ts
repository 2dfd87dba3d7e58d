import type { Command } from 'commander'
import { findBalancing } from '../../db/balancing.ts'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { unavailableHint, DatabaseUnusable } from '../../db/errors.ts'
import { serverFacts } from '../../db/facts.ts'
import { missingGrants } from '../../db/grants.ts'
import { missingSearchIndexes } from '../../db/search.ts'
import { ConfigError, databaseOptions, loadConfig, loadDatabaseConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { hasActiveAdmin } from '../domain/access/last-admin.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { exitCodes } from './errors.ts'
import { ok, problem, warning } from './findings.ts'
import type { Finding } from './findings.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { mailServerFindings } from './mail-findings.ts'
import { mailFinding, sealedFinding } from './outbox-findings.ts'
import { partitionFinding } from './partition-finding.ts'
import { passkeyFinding } from './passkey-finding.ts'
import { printJson, write } from './output.ts'
import { roleFindings } from './role-findings.ts'
import { version } from '../version.ts'

const oldestVersion = 15
/** Milliseconds by which two clocks may differ without a warning. */
const clockTolerance = 5000

export function addDoctorCommand(program: Command) {
  const doctor = asData(
    program
      .command('doctor')
      .description(
        'check the configuration, the database and the mail server, and say how to fix problems; ' +
          'exit code 1 on a problem'
      )
  )
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

async function examine(): Promise<Finding[]> {
  const findings = [
    ok('version', `portal ${version} on Node ${process.version}`),
    ...configuration()
  ]
  let database: Database | undefined
  try {
    const config = loadDatabaseConfig()
    database = await openDatabase(config.DATABASE_URL, {
      ...databaseOptions(config),
      poolMax: 4 // enough to notice a proxy that chooses a server for each
    })
    findings.push(...(await databaseFindings(database)))
  } catch (error) {
    findings.push(
      error instanceof ConfigError
        ? problem('database', 'not checked', 'Fix the configuration first.')
        : problem(
            'database',
            unusable(error, database),
            'Check that it is running, that DATABASE_URL is right, and that this machine may ' +
              'connect.'
          )
    )
  } finally {
    await database?.close()
  }
  const config = serverConfig()
  return config ? [...findings, ...(await mailServerFindings(config))] : findings
}

const unusable = (error: unknown, database?: Database) =>
  error instanceof DatabaseUnusable
    ? error.message
    : `cannot be used: ${unavailableHint(error)} (${database?.label})`

function configuration(): Finding[] {
  const todo = 'Correct the environment variable, then start the portal again.'
  try {
    const config = loadConfig()
    return [
      ok('configuration', 'complete'),
      ...config.warnings.map((text) => warning('configuration', text, todo)),
      proxy(config)
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((text) => problem('configuration', text, todo))
  }
}

/** Undefined when the configuration is not that of the server: an earlier finding says why. */
function serverConfig(): Config | undefined {
  try {
    return loadConfig()
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

function proxy({ PUBLIC_ORIGIN, TRUST_PROXY }: Config): Finding {
  const behind = PUBLIC_ORIGIN.startsWith('https:')
  if (behind && TRUST_PROXY.length === 0) {
    return warning(
      'proxy',
      'PUBLIC_ORIGIN is https and TRUST_PROXY is empty: all clients seem to have the address of ' +
        'the proxy',
      'Set TRUST_PROXY to the addresses of the proxies in front.'
    )
  }
  return ok('proxy', TRUST_PROXY.length === 0 ? 'none' : `trusted: ${TRUST_PROXY.join(', ')}`)
}

async function databaseFindings(database: Database): Promise<Finding[]> {
  const facts = await serverFacts(database.db)
  const { version, now } = facts
  const findings = [
    version < oldestVersion
      ? problem(
          'database',
          `${database.label}, version ${version}`,
          `Use PostgreSQL ${oldestVersion} or newer.`
        )
      : ok('database', `${database.label}, version ${version}`)
  ]

  const difference = Math.round(Math.abs(Date.now() - now))
  findings.push(
    difference > clockTolerance
      ? warning(
          'clock',
          `the clocks of this machine and of the database differ by ${difference} ms`,
          'Synchronize both with NTP: the clock of the database decides when sessions end.'
        )
      : ok('clock', `differs from the clock of the database by ${difference} ms`)
  )

  if (!database.embedded) {
    findings.push(server(facts, await findBalancing(database.db)), limits(facts))
  }

  const grants = await missingGrants(database.db)
  if (grants.length > 0) {
    // The following checks read tables that the role may not be allowed to read.
    return [
      ...findings,
      problem(
        'privileges',
        'the role of DATABASE_URL lacks privileges that the server needs',
        ['Run as the owner of the tables:', ...grants].join('\n    ')
      )
    ]
  }
  if (!database.embedded) {
    findings.push(ok('privileges', 'the role has all privileges that the server needs'))
  }

  const migrated = await isUpToDate(database)
  findings.push(
    migrated
      ? ok('schema', 'up to date')
      : problem('schema', 'older than this portal', 'Run: portal migrate')
  )
  if (migrated) {
    findings.push(await search(database.db))
    findings.push(
      (await hasActiveAdmin(database.db))
        ? ok('administrator', 'there is an active administrator')
        : problem(
            'administrator',
            'there is no active administrator',
            'Run: portal admin create --email ops@example.com'
          )
    )
    findings.push(...(await roleFindings(database.db)))
    findings.push(await mailFinding(database.db))
    if (!database.embedded) findings.push(await partitionFinding(database.db))
    const config = serverConfig()
    if (config) {
      findings.push(await sealedFinding(database.db, config.SECRET_KEYS))
      findings.push(await passkeyFinding(database.db, config))
    }
  }
  return findings
}

async function search(db: Db): Promise<Finding> {
  const missing = await missingSearchIndexes(db)
  if (missing.length === 0) return ok('search', 'the search of users has its indexes')
  const todo = 'With the extension pg_trgm, run as the owner of the tables, one after the other:'
  return warning(
    'search',
    'the search of users has no indexes: each page looks at 5,000 users, and may be short',
    [todo, 'CREATE EXTENSION IF NOT EXISTS pg_trgm;', ...missing].join('\n    ')
  )
}

type Facts = Awaited<ReturnType<typeof serverFacts>>

/** Standbys are rejected on connecting, but a proxy that balances statements may still use one. */
function server({ server, inRecovery, isolation }: Facts, balancing: string | undefined): Finding {
  const finding =
    `${server ?? 'local socket'}, ${inRecovery ? 'a standby' : 'the primary'} ` +
    `(pg_is_in_recovery() is ${inRecovery}), default_transaction_isolation ${isolation}`
  if (balancing !== undefined) {
    return problem(
      'server',
      `${finding}; something balances reads: ${balancing}`,
      'Send all statements to the primary: a standby may lack confirmed changes.'
    )
  }
  return inRecovery
    ? problem(
        'server',
        finding,
        'Point DATABASE_URL to the primary: a standby may lack confirmed changes.'
      )
    : ok('server', finding)
}

/** Timeouts that the server enforces when the portal can no longer cancel a statement. */
function limits({ role, statementTimeout, lockTimeout, idleInTransactionTimeout }: Facts): Finding {
  const wanted = [
    { name: 'statement_timeout', value: '5s', current: statementTimeout },
    { name: 'lock_timeout', value: '2s', current: lockTimeout },
    { name: 'idle_in_transaction_session_timeout', value: '10s', current: idleInTransactionTimeout }
  ]
  const unset = wanted.filter(({ current }) => current === '0')
  if (unset.length === 0) return ok('limits', 'the role has all timeouts')
  const statements = unset.map(({ name, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`)
  return problem(
    'limits',
    `the role has no ${unset.map(({ name }) => name).join(', ')}`,
    `Run: ${statements.join(' ')}`
  )
}
