import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { causeOf, databaseCode, sentenceOf } from '../../db/errors.ts'
import { findLoadBalancer, missingSearchIndex, readServerInfo } from '../../db/server-info.ts'
import { missingGrants } from '../../db/grants.ts'
import { encodingFault, pathFault, readSetup } from '../../db/migrate.ts'
import { isForeignHash, users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import type { Config } from '../config/config.ts'
import type { LoadedApp } from '../base/load.ts'
import { expirySoon } from '../common/days.ts'
import { hasActiveAdmin } from '../domain/access/last-admin.ts'
import { isUpToDate } from '../domain/access/registry.ts'
import { findLateJobs } from '../domain/jobs/sweep.ts'
import { examineKeys, unusedDays } from '../domain/keys/keys.ts'
import { appFindings } from './app-findings.ts'
import { findingsOf, ok, problem, warning } from './findings.ts'
import type { Finding, Found, Outcome } from './findings.ts'
import { otherAccountsFinding, requiredProviderFinding } from './providers.ts'
import { mailFinding, unconfirmedFinding } from './mail-findings.ts'
import { clientsFinding, instancesFinding, loopFinding } from './proxy-findings.ts'
import {
  connectionFinding,
  distanceFinding,
  epochsFinding,
  indexFinding,
  partitionFinding,
  passkeyFinding,
  roleFindings,
  sealedFinding,
  systemRoleFindings
} from './schema-findings.ts'
import { settingsFinding } from './settings.ts'
import { supportFinding } from './support-findings.ts'
import { webhookFindings } from './webhooks.ts'

/** Milliseconds by which two clocks may differ without a warning. */
const clockTolerance = 5000

interface Context {
  database: Database
  facts: Facts
  /** DATABASE_POOL_MAX. */
  poolMax: number
  /** The app that is built on the portal. */
  ownApp: LoadedApp | undefined
}

type Find<Given> = (db: Db, config: Given, context: Context) => Found | Promise<Found>

/** Checks that need the configuration run where the environment is that of the server. */
type Check = { check: string; stops?: true } & (
  | { needs?: 'server'; find: Find<Config | undefined> }
  | { needs: 'config'; find: Find<Config> }
)

/** After a problem of a check that `stops`, those below could read nothing. */
const checks: readonly Check[] = [
  { check: 'database', find: engine },
  { check: 'encoding', find: encoding },
  { check: 'clock', find: clock },
  { check: 'distance', needs: 'server', find: distanceFinding },
  { check: 'server', needs: 'server', find: server },
  { check: 'limits', needs: 'server', find: limits },
  { check: 'connections', needs: 'server', find: (_db, _config, of) => connectionFinding(of) },
  { check: 'instances', needs: 'server', find: instancesFinding },
  { check: 'event loop', needs: 'config', find: (_db, config) => loopFinding(config) },
  { check: 'privileges', stops: true, find: privileges },
  { check: 'search path', stops: true, find: searchPath },
  { check: 'storage', find: storage },
  { check: 'schema', stops: true, find: schema },
  { check: 'indexes', find: indexFinding },
  { check: 'search', find: search },
  { check: 'epochs', find: epochsFinding },
  { check: 'administrator', find: administrator },
  { check: 'system roles', find: systemRoleFindings },
  { check: 'roles', find: roleFindings },
  { check: 'app', find: (db, _config, { ownApp }) => ownApp && appFindings(db, ownApp) },
  { check: 'passwords', find: passwords },
  { check: 'API keys', find: keys },
  { check: 'mail', find: mailFinding },
  { check: 'webhooks', find: webhookFindings },
  { check: 'unconfirmed addresses', find: unconfirmedFinding },
  { check: 'jobs', find: jobs },
  { check: 'activity', needs: 'server', find: partitionFinding },
  { check: 'sealed values', needs: 'config', find: sealedFinding },
  { check: 'passkeys', needs: 'config', find: passkeyFinding },
  { check: 'required providers', needs: 'config', find: requiredProviderFinding },
  { check: 'accounts of required domains', needs: 'config', find: otherAccountsFinding },
  { check: 'settings', needs: 'config', find: settingsFinding },
  { check: 'clients', needs: 'config', find: clientsFinding }
]

/** One finding after the other, so that a check that fails does not hide those before it. */
export async function* databaseFindings(
  database: Database,
  poolMax: number,
  config: Config | undefined,
  ownApp?: LoadedApp
): AsyncGenerator<Finding> {
  const { db, embedded } = database
  const context = { database, poolMax, ownApp, facts: await readServerInfo(db) }
  for (const { check, stops, ...row } of checks) {
    if (row.needs === 'server' && embedded) continue
    if (row.needs === 'config' && !config) continue
    const found = findingsOf(check, await (row.find as Find<typeof config>)(db, config, context))
    yield* found
    if (stops && found.some(({ result }) => result === 'problem')) return
  }
}

function engine(_db: Db, _config: unknown, { database, facts: { version } }: Context) {
  return supportFinding('PostgreSQL', version, `${database.label}, version ${version}`)
}

async function privileges(db: Db, config: Config | undefined, { database, ownApp }: Context) {
  const grants = await missingGrants(db, config?.ACTIVITY_FORGET, ownApp !== undefined)
  if (grants.length > 0) {
    return problem(
      'the role of DATABASE_URL lacks privileges that the server needs',
      ['Run as the owner of the tables:', ...grants].join('\n    ')
    )
  }
  return database.embedded ? undefined : ok('the role has all privileges that the server needs')
}

async function searchPath(db: Db) {
  const setup = await readSetup(db)
  return outcomeOf(pathFault(setup), `leads to the schema ${setup.schema}`)
}

async function encoding(db: Db) {
  return outcomeOf(encodingFault(await readSetup(db)), 'holds every name')
}

async function schema(_db: Db, _config: unknown, { database, ownApp }: Context) {
  if (await isUpToDate(database, ownApp?.definition)) return ok('up to date')
  const [first = 'system permissions or roles', ...more] = await database.missingMigrations()
  const lacking = more.length > 0 ? `${first} and ${more.length} more migrations` : first
  const options = ownApp ? ` --app ${ownApp.folder}` : ''
  return problem(`lacks ${lacking}`, `Run: portal migrate${options}`)
}

function outcomeOf(fault: { finding: string; todo: string } | undefined, fine: string) {
  return fault ? problem(fault.finding, fault.todo) : ok(fine)
}

/** A full disk has less than this left. */
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

async function administrator(db: Db) {
  if (await hasActiveAdmin(db)) return ok('there is an active administrator')
  const todo = 'Run: portal admin create --email ops@example.com'
  return problem('there is no active administrator', todo)
}

function clock(_db: Db, _config: unknown, { facts: { now } }: Context): Outcome {
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
  const missing = await missingSearchIndex(db)
  if (missing.length === 0) return ok('the search of users has its index')
  // The owner may have the timeouts of a server, which would end the build of an index.
  const todo =
    'With the extension pg_trgm, run as the owner of the tables, one after the other, after ' +
    'SET statement_timeout = 0; SET lock_timeout = 0;'
  return warning(
    'the search of users has no index: each page looks at 5,000 users, and may be short',
    [todo, 'CREATE EXTENSION IF NOT EXISTS pg_trgm;', ...missing].join('\n    ')
  )
}

type Facts = Awaited<ReturnType<typeof readServerInfo>>

/** Standbys are rejected on connecting, but a proxy that balances statements may still use one. */
async function server(db: Db, _: unknown, { facts }: Context): Promise<Outcome> {
  const { server, inRecovery, isolation } = facts
  const loadBalancer = await findLoadBalancer(db)
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
function limits(_db: Db, _config: unknown, { facts }: Context): Outcome {
  const { role, statementTimeout, lockTimeout, idleInTransactionTimeout } = facts
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

async function jobs(db: Db): Promise<Outcome> {
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

async function keys(db: Db) {
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
  return outcomes.length > 0 ? outcomes : ok(active === 0 ? 'there are none' : `${active} active`)
}

/** Imported passwords keep their form until their users sign in for the first time. */
async function passwords(db: Db) {
  const count = await db.$count(users, isForeignHash(users.passwordHash))
  if (count === 0) return undefined
  return ok(`${count} still in the form of another system: see docs/do/moving.md`)
}
