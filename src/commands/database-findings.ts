import { sql } from 'drizzle-orm'
import { findBalancing } from '../../db/balancing.ts'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { causeOf, databaseCode, sentenceOf } from '../../db/errors.ts'
import { serverFacts } from '../../db/facts.ts'
import { missingGrants } from '../../db/grants.ts'
import { missingSearchIndexes } from '../../db/search.ts'
import { encodingFault, pathFault, readSetup } from '../../db/setup.ts'
import { transaction } from '../../db/transaction.ts'
import type { Config } from '../config/config.ts'
import { hasActiveAdmin } from '../domain/access/last-admin.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { connectionFinding } from './connection-findings.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { instancesFinding } from './instance-findings.ts'
import { jobFinding } from './job-findings.ts'
import { keyFindings } from './key-findings.ts'
import { mailFinding, sealedFinding, unconfirmedFinding } from './outbox-findings.ts'
import { partitionFinding } from './partition-findings.ts'
import { passkeyFinding } from './passkey-findings.ts'
import { otherAccountsFinding, requiredProviderFinding } from './provider-findings.ts'
import { clientsFinding } from './proxy-findings.ts'
import { passwordFindings } from './password-findings.ts'
import { roleFindings, systemRoleFindings } from './role-findings.ts'
import { endFinding } from './support-findings.ts'
import { epochsFinding, indexFinding } from './schema-findings.ts'
import { settingsFinding } from './settings-findings.ts'

const oldestVersion = 15
/** Milliseconds by which two clocks may differ without a warning. */
const clockTolerance = 5000

/**
 * Checks the database. One finding after the other, so that a check that fails does not hide those
 * before it.
 * @param poolMax DATABASE_POOL_MAX
 * @param config that of the server, if this is its environment
 */
export async function* databaseFindings(
  database: Database,
  poolMax: number,
  config: Config | undefined
): AsyncGenerator<Finding> {
  const { db, embedded, label } = database
  const facts = await serverFacts(db)
  const engine = `${label}, version ${facts.version}`
  yield named(
    'database',
    facts.version < oldestVersion
      ? problem(engine, `Use PostgreSQL ${oldestVersion} or newer.`)
      : (endFinding('PostgreSQL', facts.version, engine) ?? ok(engine))
  )
  const setup = await readSetup(db)
  yield named('encoding', outcomeOf(encodingFault(setup), 'holds every name'))
  yield named('clock', clock(facts))
  if (!embedded) {
    yield named('server', server(facts, await findBalancing(db)))
    yield named('limits', limits(facts))
    yield named('connections', connectionFinding(facts, poolMax))
    yield named('instances', await instancesFinding(db, config))
  }

  const grants = await missingGrants(db, config?.ACTIVITY_FORGET)
  if (grants.length > 0) {
    const todo = ['Run as the owner of the tables:', ...grants].join('\n    ')
    const finding = 'the role of DATABASE_URL lacks privileges that the server needs'
    yield named('privileges', problem(finding, todo))
    return // the following checks read tables that the role may not be allowed to read
  }
  if (!embedded) yield named('privileges', ok('the role has all privileges that the server needs'))

  const fault = pathFault(setup)
  yield named('search path', outcomeOf(fault, `leads to the schema ${setup.schema}`))
  if (fault) return // the following checks read tables
  yield named('storage', await storage(db))
  if (!(await isUpToDate(database))) {
    yield named('schema', problem('older than this portal', 'Run: portal migrate'))
    return
  }
  yield named('schema', ok('up to date'))
  yield named('indexes', await indexFinding(db))
  yield named('search', await search(db))
  yield named('epochs', await epochsFinding(db))
  yield named('administrator', await administrator(db))
  yield* await systemRoleFindings(db)
  yield* await roleFindings(db)
  yield* await passwordFindings(db)
  yield* await keyFindings(db)
  yield named('mail', await mailFinding(db, config))
  const unconfirmed = await unconfirmedFinding(db, config)
  if (unconfirmed) yield named('unconfirmed addresses', unconfirmed)
  yield named('jobs', await jobFinding(db))
  if (!embedded) yield named('activity', await partitionFinding(db))
  if (!config) return
  yield named('sealed values', await sealedFinding(db, config.SECRET_KEYS))
  yield named('passkeys', await passkeyFinding(db, config))
  const required = await requiredProviderFinding(db, config)
  if (required) yield named('required providers', required)
  const others = await otherAccountsFinding(db, config)
  if (others) yield named('accounts of required domains', others)
  const settings = await settingsFinding(db, config)
  if (settings) yield named('settings', settings)
  yield named('clients', await clientsFinding(db, config))
}

const outcomeOf = (fault: { finding: string; todo: string } | undefined, fine: string) =>
  fault ? problem(fault.finding, fault.todo) : ok(fine)

/** More than a full disk has left. */
const megabyte = 1024 * 1024

/**
 * Whether a change can be stored: reads succeed with a full disk as well. A temporary table takes
 * room for its rows at once, and is never kept.
 */
async function storage(db: Db): Promise<Outcome> {
  try {
    await transaction(db, async (tx) => {
      await tx.execute('create temporary table portal_storage (row text) on commit drop')
      await tx.execute(sql`insert into portal_storage
        select repeat('x', 1024) from generate_series(1, ${megabyte / 1024}::int)`)
    })
    return ok('there is room for changes')
  } catch (error) {
    // Nothing but this check needs temporary tables, which some engines do not have.
    if (/^(42501|0A000)$/.test(databaseCode(error) ?? '')) {
      return ok('not checked: the role cannot use temporary tables')
    }
    const cause = causeOf(error)
    if (cause === undefined) throw error
    return problem(
      `changes cannot be stored: ${cause.operators}: ${sentenceOf(error)} (${databaseCode(error)})`,
      cause.remedy
    )
  }
}

const administrator = async (db: Db) =>
  (await hasActiveAdmin(db))
    ? ok('there is an active administrator')
    : problem(
        'there is no active administrator',
        'Run: portal admin create --email ops@example.com'
      )

function clock({ now }: Facts): Outcome {
  const difference = Math.round(Math.abs(Date.now() - now))
  return difference > clockTolerance
    ? warning(
        `the clocks of this machine and of the database differ by ${difference} ms`,
        'Synchronize both with NTP: the clock of the database decides when sessions end, and ' +
          'passkeys are rejected when that of an instance is minutes behind.'
      )
    : ok(`differs from the clock of the database by ${difference} ms`)
}

async function search(db: Db): Promise<Outcome> {
  const missing = await missingSearchIndexes(db)
  if (missing.length === 0) return ok('the search of users has its indexes')
  // The owner may have the timeouts of a server, which would end the build of an index.
  const todo =
    'With the extension pg_trgm, run as the owner of the tables, one after the other, after ' +
    'SET statement_timeout = 0; SET lock_timeout = 0;'
  return warning(
    'the search of users has no indexes: each page looks at 5,000 users, and may be short',
    [todo, 'CREATE EXTENSION IF NOT EXISTS pg_trgm;', ...missing].join('\n    ')
  )
}

type Facts = Awaited<ReturnType<typeof serverFacts>>

/** Standbys are rejected on connecting, but a proxy that balances statements may still use one. */
function server({ server, inRecovery, isolation }: Facts, balancing: string | undefined): Outcome {
  const finding =
    `${server ?? 'local socket'}, ${inRecovery ? 'a standby' : 'the primary'} ` +
    `(pg_is_in_recovery() is ${inRecovery}), default_transaction_isolation ${isolation}`
  if (balancing !== undefined) {
    return problem(
      `${finding}; something balances reads: ${balancing}`,
      'Send all statements to the primary: a standby may lack confirmed changes.'
    )
  }
  return inRecovery
    ? problem(finding, 'Point DATABASE_URL to the primary: a standby may lack confirmed changes.')
    : ok(finding)
}

/** Timeouts that the server enforces when the portal can no longer cancel a statement. */
function limits({ role, statementTimeout, lockTimeout, idleInTransactionTimeout }: Facts): Outcome {
  const wanted = [
    { name: 'statement_timeout', value: '5s', current: statementTimeout },
    { name: 'lock_timeout', value: '2s', current: lockTimeout },
    { name: 'idle_in_transaction_session_timeout', value: '10s', current: idleInTransactionTimeout }
  ]
  const unset = wanted.filter(({ current }) => current === '0')
  if (unset.length === 0) return ok('the role has all timeouts')
  const statements = unset.map(({ name, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`)
  return problem(
    `the role has no ${unset.map(({ name }) => name).join(', ')}`,
    `Run: ${statements.join(' ')}`
  )
}
