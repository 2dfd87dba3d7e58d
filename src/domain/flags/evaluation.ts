import murmurhash from 'murmurhash'
import { totalWeight } from '../../../db/schema/flags.ts'
import type { Condition, FlagRow, FlagValue, When } from '../../../db/schema/flags.ts'
import { sha256 } from '../crypto.ts'
import { flagNotFound, targetingKeyMissing } from '../errors.ts'
import type { Flags } from './cache.ts'

/** The context of an evaluation. Roles come from a session only. */
export interface Context {
  targetingKey?: string | undefined
  roles: readonly string[]
  signedIn: boolean
  attributes: Readonly<Record<string, unknown>>
}

/** OpenFeature's resolution details; reasons as in OFREP 0.3. */
interface Evaluation {
  key: string
  value: FlagValue
  variant: string
  reason: 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'DISABLED'
}

/** Throws `flag-not-found`, also for flags hidden from the caller, and `targeting-key-missing`. */
export function evaluate(flags: Flags, key: string, context: Context): Evaluation {
  const flag = flags.get(key)
  if (!flag || !isVisible(flag, context)) throw flagNotFound()
  const found = resolve(flag, context)
  if (!found) throw targetingKeyMissing()
  return found
}

interface Unresolved {
  key: string
  errorCode: 'TARGETING_KEY_MISSING'
  errorDetails: string
}

/** Evaluates every flag that the caller may see. A flag that cannot be evaluated gets an error. */
export function evaluateAll(all: Flags, context: Context) {
  const flags = [...all.values()]
    .filter((flag) => isVisible(flag, context))
    .map(
      (flag): Evaluation | Unresolved =>
        resolve(flag, context) ?? {
          key: flag.key,
          errorCode: 'TARGETING_KEY_MISSING',
          errorDetails: targetingKeyMissing().message
        }
    )
  return { flags, revision: sha256(JSON.stringify(flags)).toString('base64url') }
}

const isVisible = (flag: FlagRow, context: Context) => flag.public || context.signedIn

/** The first matching rule decides. Undefined when it is a split and there is no targeting key. */
function resolve(flag: FlagRow, context: Context): Evaluation | undefined {
  const serve = (variant: string, reason: Evaluation['reason']): Evaluation => {
    const value = flag.variants[variant]
    if (value === undefined) throw new Error(`the flag ${flag.key} has no variant ${variant}`)
    return { key: flag.key, value, variant, reason }
  }
  if (flag.state === 'disabled') return serve(flag.offVariant, 'DISABLED')
  const rule = flag.rules.find(({ when }) => matches(when, context))
  if (!rule) return serve(flag.defaultVariant, flag.rules.length === 0 ? 'STATIC' : 'DEFAULT')
  if ('variant' in rule.serve) return serve(rule.serve.variant, 'TARGETING_MATCH')
  return context.targetingKey === undefined
    ? undefined
    : serve(choose(rule.serve.split, bucketOf(flag.key, context.targetingKey)), 'SPLIT')
}

/** A uniformly distributed number from 0 to 99999, which depends on the two keys only. */
export const bucketOf = (flagKey: string, targetingKey: string) =>
  Math.floor((murmurhash.v3(flagKey + targetingKey, 0) * totalWeight) / 2 ** 32)

/** The variant whose share contains the bucket. Growing the first share keeps everyone in it. */
function choose(split: readonly { variant: string; weight: number }[], bucket: number) {
  let end = 0
  for (const { variant, weight } of split) {
    end += weight
    if (bucket < end) return variant
  }
  throw new Error('the weights of a split do not reach every bucket')
}

const matches = (
  { rolesAny, users, attributes }: When,
  { roles, targetingKey, attributes: given }: Context
) =>
  (!rolesAny || rolesAny.some((role) => roles.includes(role))) &&
  (!users || (targetingKey !== undefined && users.includes(targetingKey))) &&
  (attributes ?? []).every((condition) =>
    holds(condition, Object.hasOwn(given, condition.name) ? given[condition.name] : undefined)
  )

/** A missing attribute, or one of another type, satisfies no condition except `notIn`. */
function holds({ op, values }: Condition, given: unknown): boolean {
  if (op === 'in') return values.some((value) => value === given)
  if (op === 'notIn') return !values.some((value) => value === given)
  return values.some((value) => {
    if (typeof given === 'number' && typeof value === 'number') {
      return op === 'lt'
        ? given < value
        : op === 'lte'
          ? given <= value
          : op === 'gt'
            ? given > value
            : op === 'gte' && given >= value
    }
    if (typeof given === 'string' && typeof value === 'string') {
      return op === 'startsWith'
        ? given.startsWith(value)
        : op === 'endsWith'
          ? given.endsWith(value)
          : op === 'contains' && given.includes(value)
    }
    return false
  })
}
