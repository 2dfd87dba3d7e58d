import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { Rule, SegmentWhen } from '../../../db/schema/flags.ts'
import { roles } from '../../../db/schema/roles.ts'
import { scopedRoles } from '../../../db/schema/scopes.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { userSettings } from '../../../db/schema/users.ts'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import { scalarPaths } from '../../common/settings.ts'
import { invalidFields } from '../errors.ts'
import { coalesce, outcomeOf } from '../freshness/fresh-cache.ts'
import type { Settings } from '../settings/settings.ts'
import { segmentsIn } from './conditions.ts'
import type { Flags, FlagState } from './evaluation.ts'

/** Users per statement, as with sessions. */
const batchSize = 200

type Caller = { id: string }
interface Waiting {
  caller: Caller
  done: (error: unknown, document?: SettingsDocument) => void
}

/**
 * Reads the app settings of callers for flags whose rules name them, once for each principal.
 *
 * Why they are never stale: a change of app settings bumps its user, so the principal that a later
 * request finds is another object. The document was read after its principal, so it is current as
 * long as the principal is.
 */
export function createCallerSettings(db: Db, settings: Settings | undefined) {
  const kept = new WeakMap<Caller, Promise<SettingsDocument>>()
  const read = coalesce<Waiting>(async (all) => {
    for (let start = 0; start < all.length; start += batchSize) {
      const batch = all.slice(start, start + batchSize)
      const ids = batch.map(({ caller }) => caller.id)
      const [error, documents] = await outcomeOf(readDocuments(db, ids))
      for (const { caller, done } of batch) {
        if (documents) done(undefined, documents.get(caller.id) ?? {})
        else done(error)
      }
    }
  })
  /** @param caller the user of a kept principal: its identity says how long the document is kept */
  return async (state: FlagState, caller: Caller | undefined) => {
    if (!settings || !caller || !isNamed('appSettings', state)) return undefined
    const known = kept.get(caller)
    if (known) return known
    const reading = new Promise<SettingsDocument>((resolve, reject) =>
      read({
        caller,
        done: (error, stored) =>
          stored ? resolve(settings.app.read(stored).document) : reject(error)
      })
    )
    kept.set(caller, reading)
    reading.catch(() => kept.delete(caller))
    return reading
  }
}

async function readDocuments(db: Db, userIds: string[]) {
  const { userId, part, document } = userSettings
  const rows = await db
    .select({ userId, document })
    .from(userSettings)
    .where(and(eq(part, 'app'), inArray(userId, userIds)))
  return new Map(rows.map((row) => [row.userId, row.document]))
}

const naming = { appSettings: new WeakMap<Flags, boolean>(), scopes: new WeakMap<Flags, boolean>() }

/** Whether any rule of these flags has such a condition, or names a segment that has one. */
function isNamed(part: keyof typeof naming, { flags, segments }: FlagState): boolean {
  const known = naming[part].get(flags)
  if (known !== undefined) return known
  const names = [...flags.values()].some(
    ({ rules }) =>
      rules.some(({ when }) => when[part]) ||
      segmentsIn(rules).some((key) => segments.get(key)?.[part])
  )
  naming[part].set(flags, names)
  return names
}

/** Whether a scope in the query of an evaluation can matter. */
export const namesScopes = (state: FlagState) => isNamed('scopes', state)

/** The scope, if the user has a role in it that counts at this assurance. */
export async function heldScope(
  db: Db,
  { id, assurance }: { id: string; assurance: Assurance },
  scope: string | undefined
) {
  if (scope === undefined) return undefined
  const [held] = await db
    .select({ scope: scopedRoles.scope })
    .from(scopedRoles)
    .innerJoin(roles, eq(roles.id, scopedRoles.roleId))
    .where(
      and(
        eq(scopedRoles.userId, id),
        eq(scopedRoles.scope, scope),
        assurance < 2 ? eq(roles.requiresSecondFactor, false) : undefined
      )
    )
    .limit(1)
  return held?.scope
}

/** Throws a refusal for rules that name app settings which the schema does not have. */
export const requireKnownSettings = (
  settings: Settings | undefined,
  rules: readonly Rule[] | undefined,
  base = ''
) =>
  requireSettings(
    settings,
    rules?.map(({ when }, n) => [`${base}/rules/${n}/when`, when])
  )

/** @param conditions each with its place in the request */
export function requireSettings(
  settings: Settings | undefined,
  conditions: [place: string, when: SegmentWhen][] = []
) {
  const named = conditions.flatMap(([place, { appSettings = [] }]) =>
    appSettings.map(({ name }, n) => ({ name, pointer: `${place}/appSettings/${n}/name` }))
  )
  if (named.length === 0) return
  const known = new Set(settings ? scalarPaths(settings.app.schema) : [])
  const message = 'SETTINGS_SCHEMA has no app setting with this path'
  const unknown = named.filter(({ name }) => !known.has(name))
  if (unknown.length > 0) {
    throw invalidFields(
      ...unknown.map(({ pointer }) => ({ pointer, code: 'unknown-setting' as const, message }))
    )
  }
}
