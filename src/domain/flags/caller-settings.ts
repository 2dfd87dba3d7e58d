import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { Rule, SegmentWhen } from '../../../db/schema/flags.ts'
import { userSettings } from '../../../db/schema/users.ts'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import { scalarPaths } from '../../common/settings.ts'
import { invalidFields } from '../errors.ts'
import { batched } from '../freshness/fresh-cache.ts'
import type { Settings } from '../settings/settings.ts'
import { segmentsIn } from './conditions.ts'
import type { Flags, FlagState } from './evaluation.ts'

type Caller = { id: string }

/**
 * Reads the app settings of callers for flags whose rules name them, once for each principal.
 *
 * Why they are never stale: a change of app settings bumps its user, so the principal that a later
 * request finds is another object. The document was read after its principal, so it is current as
 * long as the principal is.
 */
export function createCallerSettings(db: Db, settings: Settings | undefined) {
  const kept = new WeakMap<Caller, Promise<SettingsDocument>>()
  const read = batched<string, SettingsDocument>(async (ids) => {
    const documents = await readDocuments(db, ids)
    return ids.map((id) => documents.get(id) ?? {})
  })
  /** @param caller the user of a kept principal: its identity says how long the document is kept */
  return async (state: FlagState, caller: Caller | undefined) => {
    if (!settings || !caller || !isNamed('appSettings', state)) return undefined
    const known = kept.get(caller)
    if (known) return known
    const reading = read(caller.id).then((stored) => settings.app.read(stored).document)
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
