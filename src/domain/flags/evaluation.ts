import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochOf, momentColumns } from '../../../db/epochs.ts'
import { epochsMissing } from '../../../db/errors.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags, segments, totalWeight } from '../../../db/schema/flags.ts'
import type { Condition, FlagRow, FlagValue, When } from '../../../db/schema/flags.ts'
import { sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import { createFreshCache } from '../freshness/fresh-cache.ts'
import type { Snapshots } from '../freshness/fresh-cache.ts'
import { composed } from '../texts.ts'
import { findMatch, matches, segmentsByKey, segmentsIn } from './conditions.ts'
import type { Context, Segments } from './conditions.ts'

/** MurmurHash3 of Austin Appleby, with 32 bits for x86, of a text in UTF-8. */
export function murmur3(text: string, seed = 0): number {
  const bytes = Buffer.from(text)
  const rest = bytes.length % 4
  const end = bytes.length - rest
  let hash = seed
  for (let at = 0; at < end; at += 4) {
    hash = rotate(hash ^ scramble(bytes.readInt32LE(at)), 13)
    hash = Math.imul(hash, 5) + 0xe6546b64
  }
  if (rest > 0) hash ^= scramble(bytes.readUIntLE(end, rest))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))
const scramble = (part: number) => Math.imul(rotate(Math.imul(part, 0xcc9e2d51), 15), 0x1b873593)

/** The caller of an evaluation. */
export type Caller = Omit<Context, 'now' | 'segments' | 'decided'>

/** The only way to make a context: what was decided for one caller does not count for another. */
export const contextAt = (
  caller: Caller,
  { segments, now }: Pick<FlagState, 'segments' | 'now'>
): Context => ({ ...caller, segments, now, decided: new Map() })

/** The context of a signed-in user, whose id and roles take precedence over what a caller says. */
export const contextOfUser = (
  { id, roles }: { id?: string | undefined; roles: readonly string[] },
  attributes: Context['attributes'],
  { appSettings, scope }: Pick<Context, 'appSettings' | 'scope'> = {}
): Caller => ({
  targetingKey: id,
  roles,
  signedIn: true,
  attributes: { ...attributes, roles, targetingKey: id },
  appSettings,
  scope
})

/**
 * The context of a caller without a session. An empty targeting key is none: SDKs send it for a
 * caller whom they do not know.
 */
export function contextOfVisitor(key = '', attributes: Context['attributes']): Caller {
  const targetingKey = key === '' ? undefined : composed(key)
  return {
    targetingKey,
    roles: [],
    signedIn: false,
    attributes: { ...attributes, targetingKey }
  }
}

/** The reasons of OFREP 0.3. */
type Reason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'DISABLED'

/** The part of a flag that decides. */
export type Definition = Pick<
  FlagRow,
  'key' | 'state' | 'variants' | 'defaultVariant' | 'offVariant' | 'rules' | 'public'
>

/** Which variant a flag serves, and what led to it. */
type Decision = {
  /** Index of the rule that matched. */
  rule: number | null
  /** Bucket of the targeting key, 0 to 99999. Null unless a split decided. */
  bucket: number | null
} & ({ variant: string; reason: Reason } | { variant: null; reason: 'TARGETING_KEY_MISSING' })

/**
 * Throws `flag-not-found`, also for flags hidden from the caller. Undefined when a split lacks the
 * targeting key to decide.
 */
export function evaluate(flags: Flags, key: string, context: Context) {
  const flag = flags.get(key)
  if (!flag || !isVisible(flag, context)) throw new DomainError('flag-not-found')
  return resolve(flag, context)
}

/** Evaluates every flag that the caller may see. A flag that cannot be evaluated gets an error. */
export function evaluateAll(all: Flags, context: Context) {
  const flags = [...all.values()]
    .filter((flag) => isVisible(flag, context))
    .map((flag) => resolve(flag, context) ?? unresolved(flag.key))
  return { flags, revision: sha256(JSON.stringify(flags)).toString('base64url') }
}

const unresolved = (key: string) => ({
  key,
  errorCode: 'TARGETING_KEY_MISSING' as const,
  errorDetails: new DomainError('targeting-key-missing').message
})

/** Whether callers with this context can evaluate the flag. For others it does not exist. */
export const isVisible = (flag: Definition, context: Caller) => flag.public || context.signedIn

/** OpenFeature's resolution details; undefined when a split lacks the targeting key to decide. */
function resolve(flag: Definition, context: Context) {
  const { variant, reason } = decide(flag, context)
  if (variant === null) return undefined
  return { key: flag.key, value: valueOf(flag, variant), variant, reason }
}

/** The first matching rule decides. */
export function decide(flag: Definition, context: Context): Decision {
  const { rules } = flag
  if (flag.state === 'disabled') {
    return { variant: flag.offVariant, reason: 'DISABLED', rule: null, bucket: null }
  }
  const rule = findMatch(rules, context)
  const serve = rules[rule]?.serve
  if (!serve) {
    const reason = rules.length === 0 ? 'STATIC' : 'DEFAULT'
    return { variant: flag.defaultVariant, reason, rule: null, bucket: null }
  }
  if ('variant' in serve) {
    return { variant: serve.variant, reason: 'TARGETING_MATCH', rule, bucket: null }
  }
  if (context.targetingKey === undefined) {
    return { variant: null, reason: 'TARGETING_KEY_MISSING', rule, bucket: null }
  }
  const bucket = bucketOf(flag.key, context.targetingKey)
  return { variant: choose(serve.split, bucket), reason: 'SPLIT', rule, bucket }
}

export function valueOf({ key, variants }: Definition, variant: string): FlagValue {
  const value = variants[variant]
  if (value === undefined) throw new Error(`the flag ${key} has no variant ${variant}`)
  return value
}

/**
 * How many of `total` made-up targeting keys get each variant, in this context otherwise. The keys
 * are always the same ones.
 */
export function sharesOf(flag: Definition, context: Context, total: number) {
  const rules = flag.rules.flatMap(({ when, serve }) => {
    const rest = aboutKey(when, context)
    return rest ? [{ when: rest, serve }] : []
  })
  const segments = new Map(
    segmentsIn(rules).flatMap((key) => {
      const rest = aboutKey(context.segments.get(key), context)
      return rest ? [[key, rest]] : []
    })
  )
  const reduced = { ...flag, rules }
  const counts = new Map(Object.keys(flag.variants).map((variant) => [variant, 0]))
  for (let n = 1; n <= total; n++) {
    const targetingKey = `key-${n}`
    const caller = { ...context, targetingKey, attributes: { targetingKey } }
    const { variant } = decide(reduced, contextAt(caller, { segments, now: context.now }))
    if (variant !== null) counts.set(variant, (counts.get(variant) ?? 0) + 1)
  }
  return Array.from(counts, ([variant, count]) => ({ variant, count }))
}

/**
 * The conditions that depend on the targeting key, if all others hold. The others are the same for
 * all keys: comparing them once bounds the work.
 */
function aboutKey(when: When | undefined, context: Context): When | undefined {
  if (!when) return undefined
  const { users, segmentsAny, attributes = [], ...others } = when
  const shared = attributes.filter((condition) => !isOfKey(condition))
  if (!matches({ ...others, attributes: shared }, context)) return undefined
  return {
    ...(users && { users }),
    ...(segmentsAny && { segmentsAny }),
    attributes: attributes.filter(isOfKey)
  }
}

const isOfKey = ({ name }: Condition) => name === 'targetingKey'

/** A uniformly distributed number from 0 to 99999, which depends on the two keys only. */
export const bucketOf = (flagKey: string, targetingKey: string) =>
  Math.floor((murmur3(flagKey + targetingKey) * totalWeight) / 2 ** 32)

/** The variant whose share contains the bucket. Growing the first share keeps everyone in it. */
function choose(split: readonly { variant: string; weight: number }[], bucket: number) {
  let end = 0
  for (const { variant, weight } of split) {
    end += weight
    if (bucket < end) return variant
  }
  throw new Error('the weights of a split do not reach every bucket')
}

export type Flags = ReadonlyMap<string, FlagRow>

/** Flags and the segments that they name, of the same state of the database. */
interface Kept {
  flags: Flags
  segments: Segments
}

export interface FlagState extends Kept {
  /** The time of the database, in milliseconds: all instances begin a rule at the same moment. */
  now: number
}

/** Returns the time, and the current flags and segments, which are read again after a change. */
export function createFlagCache(db: Db, snapshots: Snapshots): () => Promise<FlagState> {
  const all = {}
  const keep = createFreshCache<typeof all, Kept, string>(snapshots, {
    capacity: 1,
    isCurrent: (epoch, { values }, done) => done(undefined, values[flagsScope] === epoch),
    async load() {
      // One statement, so that all of it and its epoch belong to the same state.
      const rows = await db
        .select({ ...momentColumns, epoch: epochOf(flagsScope), flag: flags, segment: segments })
        .from(sql`(select 1) as one`)
        .leftJoin(flags, sql`true`)
        .fullJoin(segments, sql`false`)
        .orderBy(flags.key)
      const [first] = rows
      if (typeof first?.epoch !== 'string') throw epochsMissing() // a broken database
      const value = {
        flags: new Map(rows.flatMap(({ flag }) => (flag ? [[flag.key, flag]] : []))),
        segments: segmentsByKey(rows.flatMap(({ segment }) => segment ?? []))
      }
      return { found: new Map([[all, { value, tags: first.epoch }]]), now: Number(first.now) }
    }
  })
  return () =>
    new Promise((resolve, reject) =>
      keep(all, (error, kept, now) => {
        if (!kept || now === undefined) return reject(error)
        resolve({ ...kept, now })
      })
    )
}
