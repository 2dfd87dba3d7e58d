import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flags, segments } from '../../../db/schema/flags.ts'
import type { flagSorts } from '../../../db/schema/flags.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { SettingsDocument } from '../../../db/schema/users.ts'
import { upcomingChanges } from '../../common/upcoming-changes.ts'
import { requirePermission } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { DomainError, invalidFields } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import type { Window } from '../keyset.ts'
import { readSettings } from '../settings/settings.ts'
import type { Settings, SettingsContext } from '../settings/settings.ts'
import { currentUserIn, scopedRightsOf } from '../users/users.ts'
import { requireKnownSettings } from './caller-settings.ts'
import { isIn, segmentsByKey, segmentsIn } from './conditions.ts'
import type { Context, Segments } from './conditions.ts'
import {
  contextAt,
  contextOfUser,
  contextOfVisitor,
  decide,
  isVisible,
  sharesOf,
  valueOf
} from './evaluation.ts'
import type { Definition } from './evaluation.ts'
import { findFlag, flagKind, listFlags, readTime, withDefaults } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { existingRoles } from './references.ts'
import { outOfRange, storedTime } from './times.ts'

/** A user, or a made-up caller: with `roles` one who is signed in, and a visitor without. */
interface TrialContext {
  userId?: string | undefined
  /** Assurance of the user's session. By default that of a sign-in with the password. */
  assurance?: Assurance | undefined
  targetingKey?: string | undefined
  roles?: string[] | undefined
  attributes?: Record<string, unknown> | undefined
  appSettings?: SettingsDocument | undefined
  /** The scope that the evaluation is about. It counts for a user with a role in it. */
  scope?: string | undefined
  /** The time to evaluate for, in RFC 3339; by default now. */
  at?: string | undefined
}

interface Trial {
  /** A saved flag. */
  key?: string | undefined
  /** A flag that need not be saved. */
  flag?: NewFlag | undefined
  context?: TrialContext | undefined
  /** Number of made-up targeting keys to count by variant. */
  sample?: number | undefined
}

/**
 * In characters. Rules search texts for thousands of values; a longer one could keep this instance
 * busy for a second.
 */
const longestAttribute = 512

/**
 * Evaluates a flag as OFREP does, and says how it was decided. Throws `flag-not-found`,
 * `user-not-found`, the refusals of a flag that cannot be saved, and `permission-denied` for an
 * actor who names a user and lacks `users:read`.
 */
export async function tryFlag(
  { db, settings }: SettingsContext,
  actor: Actor,
  { key, flag, context, sample }: Trial
) {
  assertConsistent({ key, flag, context })
  requireKnownSettings(settings, flag?.rules, '/flag')
  const segments = await readSegments(db)
  const definition = flag ? await asSaved(db, flag, segments) : await findFlag(db, key ?? '')
  const { suspendedRoles, ...who } = await callerOf(db, actor, settings, context)
  const now = context?.at === undefined ? await readTime(db) : Date.parse(context.at)
  const caller = contextAt(who, { segments, now })
  return {
    ...decided(definition, caller),
    at: new Date(now),
    nextChange: upcomingChanges(definition, now)[0]?.at ?? null,
    segments: segmentsIn(definition.rules).filter((key) => isIn(key, caller)),
    visible: isVisible(definition, caller),
    context: {
      signedIn: caller.signedIn,
      targetingKey: caller.targetingKey ?? null,
      roles: [...caller.roles],
      suspendedRoles,
      scope: caller.scope ?? null
    },
    ...(sample !== undefined && { shares: sharesOf(definition, caller, sample) })
  }
}

/** A page of all flags, each as this user gets it. Throws `user-not-found`. */
export async function listUserFlags(
  db: Db,
  {
    userId,
    assurance,
    settings,
    ...window
  }: {
    userId: string
    assurance?: Assurance | undefined
    settings?: Settings | undefined
  } & Window<(typeof flagSorts)[number]>
) {
  const user = await findTried(db, userId, assurance)
  const caller = contextOfUser(
    user,
    {},
    {
      appSettings: await appSettingsOf(db, settings, userId)
    }
  )
  const [segments, now] = [await readSegments(db), await readTime(db)]
  const context = contextAt(caller, { segments, now })
  const page = await listFlags(db, window)
  return { ...page, items: page.items.map((flag) => decided(flag, context)) }
}

const readSegments = async (db: Db) =>
  segmentsByKey(await db.select({ key: segments.key, when: segments.when }).from(segments))

function decided(flag: Definition, context: Context) {
  const { variant, ...how } = decide(flag, context)
  return {
    key: flag.key,
    value: variant === null ? null : valueOf(flag, variant),
    variant,
    ...how
  }
}

function assertConsistent({ key, flag, context = {} }: Trial) {
  const {
    userId,
    assurance,
    targetingKey,
    roles,
    attributes = {},
    appSettings,
    scope,
    at
  } = context
  const errors: FieldError[] = []
  const refuse = (pointer: string, message: string) =>
    errors.push({ pointer, code: 'invalid', message })
  if ((key === undefined) === (flag === undefined)) refuse('/key', 'Send either `key` or `flag`')
  if (userId !== undefined && (targetingKey !== undefined || roles !== undefined)) {
    refuse(
      '/context/userId',
      'Cannot be combined with `targetingKey` or `roles`: those of the user are used'
    )
  }
  if (appSettings !== undefined && (userId !== undefined || roles === undefined)) {
    refuse('/context/appSettings', 'Only together with `roles`, for a made-up signed-in user')
  }
  if (scope !== undefined && userId === undefined && roles === undefined) {
    refuse('/context/scope', 'Only together with `userId` or `roles`: visitors have no roles')
  }
  if (assurance !== undefined && userId === undefined) {
    refuse('/context/assurance', 'Only together with `userId`')
  }
  if (at !== undefined && storedTime(at) === undefined) errors.push(outOfRange('/context/at'))
  if (Object.values(attributes).some(isTooLong)) {
    refuse('/context/attributes', `Strings must have at most ${longestAttribute} characters`)
  }
  if (errors.length > 0) throw invalidFields(...errors)
}

const isTooLong = (value: unknown) => typeof value === 'string' && value.length > longestAttribute

/** With the defaults and the checks of a new flag, or of a change if there is one with this key. */
async function asSaved(db: Db, input: NewFlag, segments: Segments): Promise<Definition> {
  const flag = withDefaults(input)
  const [before] = await db.select().from(flags).where(eq(flags.key, flag.key))
  const known = { segments: new Set(segments.keys()), roles: await existingRoles(db) }
  return flagKind.clean(db, flag, before, known).catch(inFlag)
}

/** With pointers into the request, of which the flag is a part. */
function inFlag(error: unknown): never {
  if (!(error instanceof DomainError) || !error.errors) throw error
  throw invalidFields(...error.errors.map((each) => ({ ...each, pointer: `/flag${each.pointer}` })))
}

async function callerOf(
  db: Db,
  actor: Actor,
  settings: Settings | undefined,
  context: TrialContext = {}
) {
  const { userId, assurance, targetingKey, roles, attributes = {}, ...more } = context
  if (userId !== undefined) {
    await requirePermission(db, actor, 'users:read')
    const { here, ...user } = await findTried(db, userId, assurance, more.scope)
    const own = {
      appSettings: await appSettingsOf(db, settings, userId),
      scope: here.length > 0 ? more.scope : undefined
    }
    return { ...contextOfUser(user, attributes, own), suspendedRoles: user.suspendedRoles }
  }
  return {
    ...(roles
      ? contextOfUser({ id: targetingKey, roles }, attributes, more)
      : contextOfVisitor(targetingKey, attributes)),
    suspendedRoles: []
  }
}

const appSettingsOf = async (db: Db, settings: Settings | undefined, userId: string) =>
  settings && (await readSettings(db, settings, { userId, part: 'app' })).document

/**
 * The user, with the roles that count in a session of this assurance, those that do not, and those
 * that count in a scope.
 */
async function findTried(db: Db, id: string, assurance: Assurance | undefined, scope = '') {
  const proved =
    assurance === undefined
      ? sql<Assurance>`case when users.second_factor then 2 else 1 end`
      : sql<Assurance>`${assurance}::int`
  const { roles, suspendedRoles } = currentUserIn(proved)
  const here = scopedRightsOf(sql`${users.id}`, sql`${scope}::text`, proved).roles
  const [user] = await db
    .select({ id: users.id, roles, suspendedRoles, here })
    .from(users)
    .where(eq(users.id, id))
  if (!user) throw new DomainError('user-not-found')
  return user
}
