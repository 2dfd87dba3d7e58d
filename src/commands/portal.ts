import os from 'node:os'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import {
  ConfigError,
  databaseOptions,
  loadKeyedConfig,
  loadOperatorConfig
} from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { mailServiceOf } from '../config/mail-services.ts'
import { readShell } from '../config/shell.ts'
import { isUpToDate, syncRegistry } from '../domain/access/registry.ts'
import type { CommandLine } from '../domain/actor.ts'
import { createBulkhead } from '../domain/bulkhead.ts'
import type { MailService } from '../domain/outbox/enqueue.ts'
import { createPasswords } from '../domain/passwords/passwords.ts'
import type { Owner, Passwords } from '../domain/passwords/passwords.ts'
import type { Sender } from '../domain/webhooks/message.ts'
import { createSealing } from '../domain/sealing.ts'
import type { Sealing } from '../domain/sealing.ts'
import type { SessionRules } from '../domain/sessions/sessions.ts'
import { createSender } from '../outbound/sender.ts'
import { UsageError } from './errors.ts'
import { plain } from './output.ts'

export interface Portal {
  config: Config
  database: Database
  db: Db
  actor: CommandLine
  passwords: Passwords
  /** Sealing throws without SECRET_KEYS. */
  sealing: Sealing
  /** Undefined where the portal sends no mail. Writing mail throws without SECRET_KEYS. */
  mail: MailService | undefined
  sessionRules: SessionRules
  sender: Sender
}

/** A command hashes one password at a time. */
const bulkhead = createBulkhead({ running: 1, waiting: 1, maxWait: 60_000 })

/** Checks a new password before the database is opened. Throws a refusal. */
export async function checkPassword(password: string, owner: Owner) {
  await passwordsOf(loadOperatorConfig()).check(password, 'password', owner)
}

const passwordsOf = ({ PASSWORD_MIN_LENGTH: minLength, BCRYPT_COST: cost }: Config) =>
  createPasswords({ minLength, cost, bulkhead })

/**
 * The command line may do everything; its activity records name the user of the operating system,
 * and with sudo also who has become that user.
 */
export function commandLine() {
  const { sudoUser } = readShell()
  const user = userName()
  const label = sudoUser === undefined || sudoUser === user ? user : `${user} (${plain(sudoUser)})`
  return { type: 'cli', source: 'cli', label: label.slice(0, 254) } satisfies CommandLine
}

function userName() {
  try {
    return os.userInfo().username
  } catch {
    return `uid ${process.getuid?.()}` // in a container, the user may have no name
  }
}

/** Reads the keys of the server when they are needed: commands that seal nothing do without. */
const sealing: Sealing = {
  seal: (...value) => createSealing(sealingKeys()).seal(...value),
  open: (...value) => createSealing(sealingKeys()).open(...value),
  judge: (...value) => createSealing(sealingKeys()).judge(...value)
}

function sealingKeys() {
  try {
    return loadKeyedConfig().SECRET_KEYS
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([
      'SECRET_KEYS is not set: this command writes mail or secrets, which are sealed with the ' +
        'keys of the server. Nothing was changed'
    ])
  }
}

/** Opens the database for one command and closes it afterwards. The schema must be up to date. */
export async function withPortal<T>(
  work: (portal: Portal) => Promise<T>,
  load = loadOperatorConfig
): Promise<T> {
  return withDatabase(async (database, config) => {
    if (!(await isUpToDate(database))) {
      if (!config.MIGRATE_ON_START) {
        throw new UsageError('The database lacks changes of this version. Run: portal migrate')
      }
      await database.migrate(syncRegistry, reportWaiting)
    }
    return work({
      config,
      database,
      db: database.db,
      actor: commandLine(),
      // Created on demand, because creating it computes a hash.
      get passwords() {
        return passwordsOf(config)
      },
      sealing,
      mail: mailServiceOf(config, sealing),
      sessionRules: {
        idleSeconds: config.SESSION_IDLE_SECONDS,
        absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS,
        maxPerUser: config.SESSION_MAX_PER_USER
      },
      sender: createSender({ development: config.development, networks: config.WEBHOOK_NETWORKS })
    })
  }, load)
}

export const reportWaiting = (awaited: string) => {
  process.stderr.write(`Waiting for ${awaited}.\n`)
}

/** Like withPortal, for any version of the schema. */
export async function withDatabase<T>(
  work: (database: Database, config: Config) => Promise<T>,
  load = loadOperatorConfig
): Promise<T> {
  const config = load()
  const database = await openDatabase(config.DATABASE_URL, {
    ...databaseOptions(config),
    poolMax: 2
  })
  try {
    return await work(database, config)
  } finally {
    await database.close()
  }
}
