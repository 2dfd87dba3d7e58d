import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { causeOf, databaseCode, sentenceOf } from '../../db/errors.ts'
import { findLoadBalancer, missingSearchIndexes, serverFacts } from '../../db/server-info.ts'
import { missingGrants } from '../../db/grants.ts'
import { encodingFault, pathFault, readSetup } from '../../db/migrate.ts'
import { transaction } from '../../db/transaction.ts'
import type { Config } from '../config/config.ts'
import { hasActiveAdmin } from '../domain/access/last-admin.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { countForeignHashes } from '../domain/accounts/stored-passwords.ts'
import { findLateJobs } from '../domain/jobs/sweep.ts'
import { examineKeys, expirySoon, unusedDays } from '../domain/keys/keys.ts'
import { countDocuments } from '../domain/settings/stored.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { mailFinding, sealedFinding, unconfirmedFinding } from './outbox-findings.ts'
import { otherAccountsFinding, requiredProviderFinding } from './providers.ts'
import { clientsFinding, endFinding, instancesFinding } from './proxy-findings.ts'
import {
  connectionFinding,
  epochsFinding,
  indexFinding,
  partitionFinding,
  passkeyFinding,
  roleFindings,
  systemRoleFindings
} from './schema-findings.ts'

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
    yield named('server', server(facts, await findLoadBalancer(db)))
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
function server(
  { server, inRecovery, isolation }: Facts,
  loadBalancer: string | undefined
): Outcome {
  const finding =
    `${server ?? 'local socket'}, ${inRecovery ? 'a standby' : 'the primary'} ` +
    `(pg_is_in_recovery() is ${inRecovery}), default_transaction_isolation ${isolation}`
  if (loadBalancer !== undefined) {
    return problem(
      `${finding}; something balances reads: ${loadBalancer}`,
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

async function jobFinding(db: Db): Promise<Outcome> {
  const { late, unfinished } = await findLateJobs(db)
  if (late.length + unfinished.length === 0) return ok('none is late')
  const parts = [
    late.length > 0 && `not run for more than a day: ${late.join(', ')}`,
    unfinished.length > 0 && `did not finish: ${unfinished.join(', ')}`
  ]
  return warning(
    parts.filter((part) => part !== false).join('; '),
    'Servers run them at their start and every hour: start one, or look in the log of one that ' +
      'runs for "not deleted".'
  )
}

async function keyFindings(db: Db): Promise<Finding[]> {
  const { active, expiring, unused, admins } = await examineKeys(db)
  const outcomes = [
    expiring > 0 &&
      warning(
        `${expiring} of ${active} expire within ${expirySoon} days`,
        `Run portal key list --expiring ${expirySoon}, and replace those that are in use.`
      ),
    unused > 0 &&
      warning(
        `${unused} of ${active} were not used for ${unusedDays} days`,
        'Run portal key list --all, and revoke those that are no longer needed.'
      ),
    admins.length > 0 &&
      warning(
        `the role admin belongs to services: ${admins.join(', ')}`,
        'Anyone who has one of its keys may do everything. Grant a role with fewer permissions.'
      )
  ].filter((outcome) => outcome !== false)
  const none = [ok(active === 0 ? 'there are none' : `${active} active`)]
  return (outcomes.length > 0 ? outcomes : none).map((outcome) => named('API keys', outcome))
}

/** How many imported passwords still wait for their first sign-in. */
async function passwordFindings(db: Db) {
  const count = await countForeignHashes(db)
  if (count === 0) return []
  return [
    named('passwords', ok(`${count} still in the form of another system: see docs/do/moving.md`))
  ]
}

/** Undefined where nothing is wrong: few portals have settings. */
async function settingsFinding(
  db: Db,
  { SETTINGS_SCHEMA: file }: Config
): Promise<Outcome | undefined> {
  if (file !== undefined) return undefined
  const count = await countDocuments(db)
  return count === 0
    ? undefined
    : warning(
        `${count} documents are stored, and SETTINGS_SCHEMA is not set`,
        'Set it to the file with their schema, or the app cannot read them.'
      )
}
