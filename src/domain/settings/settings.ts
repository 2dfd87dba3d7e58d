import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { databaseCode } from '../../../db/errors.ts'
import { settingsLimits, users, userSettings } from '../../../db/schema/users.ts'
import type { SettingsDocument, SettingsPart } from '../../../db/schema/users.ts'
import { mergePatch } from '../../common/settings.ts'
import type { SettingSchema } from '../../common/settings.ts'
import { authorized } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError, invalidFields, requireRevision } from '../errors.ts'
import type { Expected, FieldError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import type { SystemPermission } from '../permissions.ts'

export interface SettingsContext {
  db: Db
  /** Undefined without SETTINGS_SCHEMA. */
  settings?: Settings | undefined
}

/** Throws `settings-off` without SETTINGS_SCHEMA. */
export function requireSettings(settings: Settings | undefined): Settings {
  if (!settings) throw new DomainError('settings-off')
  return settings
}

/** One part of one user. With `own`, the user is the caller. */
export interface SettingsOf {
  userId: string
  part: SettingsPart
  own?: boolean
}

export interface ShownSettings {
  document: SettingsDocument
  /** A new schema does not change it, because it names the stored document. */
  revision: string
}

/** Applies the schema and its defaults. Throws `user-not-found` or `unauthenticated`. */
export async function readSettings(
  db: Db,
  settings: Settings,
  of: SettingsOf
): Promise<ShownSettings & { stored: SettingsDocument; rejected: Rejected[] }> {
  const { part } = of
  const { document: stored, revision } = await readStored(db, of)
  const { document, rejected } = settings[part].read(stored)
  if (rejected.length > 0) settings.rejectedReads[part] += 1
  return { document, stored, rejected, revision }
}

/** Ignores the schema. Throws as `readSettings` does. */
export async function readStored(db: Db, of: SettingsOf): Promise<ShownSettings> {
  const { userId, part } = of
  const [row] = await db
    .select({ document: userSettings.document, version: userSettings.version })
    .from(users)
    .leftJoin(userSettings, and(eq(userSettings.userId, users.id), eq(userSettings.part, part)))
    .where(eq(users.id, userId))
  if (!row) throw noUser(of)
  return { document: row.document ?? {}, revision: String(row.version ?? 0) }
}

const noUser = ({ own }: SettingsOf) =>
  own ? new DomainError('unauthenticated') : new DomainError('user-not-found')

/** A merge patch (RFC 7396), or a whole document. */
export type SettingsChange = { patch: SettingsDocument } | { document: SettingsDocument }

/**
 * Changes a part. Only the properties that the change names are checked, and others stay as they
 * are: an instance with another schema may have stored them. Throws `settings-off`,
 * `precondition-failed`, and a refusal that lists every error.
 * @param permission that the actor needs
 */
export async function changeSettings(
  context: SettingsContext,
  actor: Actor,
  {
    permission,
    change,
    expected,
    ...of
  }: SettingsOf & { permission: SystemPermission; change: SettingsChange; expected?: Expected }
): Promise<ShownSettings> {
  const { userId, part } = of
  const rules = requireSettings(context.settings)[part]
  const body = 'patch' in change ? change.patch : change.document
  requireDepth(body)
  const lock = (tx: Db) => lockDocument(tx, of)
  return authorized(context.db, actor, permission, lock, async (tx, by, before) => {
    if (!before) throw noUser(of)
    requireRevision(String(before.version), expected)
    const wanted = 'patch' in change ? patched(rules, before.document, change.patch) : body
    const after = acceptable(rules, wanted, Object.keys(body))
    const fields = changedNames(before.document, after)
    const shown = (version: number) => ({
      document: rules.read(after).document,
      revision: String(version)
    })
    if (fields.length === 0) return shown(before.version)

    const version = before.version + 1
    const isRecorded = part === 'app' || !of.own || before.isRecordDue
    await tx
      .update(userSettings)
      .set({
        document: after,
        version,
        updatedAt: sql`now()`,
        ...(isRecorded && { recordedAt: sql`now()` })
      })
      .where(isPart(of))
      .catch(explainSize)
    if (isRecorded) {
      const details = { part, fields: fields.slice(0, mostFields), key: actor.keyId }
      await record(tx, by, 'user.settings-update', { userId, details })
    }
    if (part === 'app') await bumpUsers(tx, userId)
    return shown(version)
  })
}

/**
 * A whole document of another source, as it can be stored. Throws a refusal that lists every error.
 * @param base prefix of the pointers
 */
export function acceptDocument(rules: SettingsRules, document: SettingsDocument, base: string) {
  try {
    requireDepth(document)
    return acceptable(rules, document, Object.keys(document))
  } catch (error) {
    if (!(error instanceof DomainError) || !error.errors) throw error
    throw invalidFields(...error.errors.map((each) => ({ ...each, pointer: base + each.pointer })))
  }
}

function requireDepth(body: SettingsDocument) {
  if (!isDeeperThan(maxLevels, body)) return
  const message = `Must not be nested deeper than ${maxLevels} levels`
  throw invalidFields({ pointer: '', code: 'invalid', message })
}

/** The document as JSON has it, without negative zeros. Judges the properties with these names. */
function acceptable(rules: SettingsRules, document: SettingsDocument, names: string[]) {
  const text = JSON.stringify(document)
  if (Buffer.byteLength(text) > settingsLimits.bytes) throw tooLarge()
  const stored = JSON.parse(text) as SettingsDocument
  const errors = rules.check(stored, new Set(names))
  if (errors.length > 0) throw invalidFields(...errors)
  return stored
}

const maxLevels = 5
/** Names in a record. */
const mostFields = 50

const isPart = ({ userId, part }: SettingsOf) =>
  and(eq(userSettings.userId, userId), eq(userSettings.part, part))

/**
 * Locks the row of this part, which is created first; undefined if there is no such user. The user
 * is not locked, because that would make changes of all administrators wait for each other.
 */
async function lockDocument(tx: Db, of: SettingsOf) {
  await tx
    .execute(
      sql`insert into ${userSettings} (user_id, part)
        select ${users.id}, ${of.part}::text from ${users} where ${users.id} = ${of.userId}
        on conflict do nothing`
    )
    .catch((error: unknown) => {
      throw databaseCode(error) === foreignKeyViolation ? noUser(of) : error // deleted meanwhile
    })
  const { document, version, recordedAt } = userSettings
  const [row] = await tx
    .select({
      document,
      version,
      isRecordDue: sql<boolean>`coalesce(${recordedAt} <= now() - interval '1 hour', true)`
    })
    .from(userSettings)
    .where(isPart(of))
    .for('update')
  return row
}

const foreignKeyViolation = '23503'
const checkViolation = '23514'

/** Values that the schema rejects are replaced if the patch names them, and kept otherwise. */
function patched(rules: SettingsRules, stored: SettingsDocument, patch: SettingsDocument) {
  const target = { ...stored }
  for (const name of rules.read(stored).rejectedNames) {
    if (Object.hasOwn(patch, name)) delete target[name]
  }
  return mergePatch(target, patch) as SettingsDocument
}

const tooLarge = () =>
  invalidFields({
    pointer: '',
    code: 'too-long',
    message: `All settings of this part together take at most ${settingsLimits.bytes} bytes of JSON`
  })

/** Numbers like 1e300 are written with all their digits in the database. */
function explainSize(error: unknown): never {
  throw databaseCode(error) === checkViolation ? tooLarge() : error
}

/** Whether a value has more levels than this. Not by recursion: a client has chosen the depth. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let values = [value]
  for (let level = 1; level <= levels && values.length > 0; level++) {
    values = values.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : []
    )
  }
  return values.length > 0
}

/** Names of the properties that differ. */
const changedNames = (before: SettingsDocument, after: SettingsDocument) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name])
  )

/** A value that is stored although the present schema rejects it: where, and the field code. */
export type Rejected = Pick<FieldError, 'pointer' | 'code'>

/** One compiled part. */
export interface SettingsRules {
  schema: SettingSchema
  /** The errors in the properties with these names, with pointers into the document. */
  check(document: SettingsDocument, names: ReadonlySet<string>): FieldError[]
  /** The document without properties that the schema rejects, and with its defaults. */
  read(stored: SettingsDocument): {
    document: SettingsDocument
    rejected: Rejected[]
    /** Defaults of omitted properties. */
    rejectedNames: ReadonlySet<string>
  }
}

/** Both compiled parts of SETTINGS_SCHEMA. */
export type Settings = Record<SettingsPart, SettingsRules> & {
  /** How many reads of each part have left something out, since the start. */
  rejectedReads: Record<SettingsPart, number>
}
