import { problems } from '../problems/list.ts'
import type { ProblemCode } from '../problems/list.ts'
import type { ProblemType } from '../problems/problem-type.ts'

// The words that an app adds to those of the portal. Their types follow from its definition, see
// src/base/definition.ts.

/** An app names its definition here: `interface Register { app: typeof app }`. */

export interface Register {}

export type Named<T> = Readonly<Record<string, T>>

type App = Register extends { app: infer Definition } ? Definition : object
type Words<Part extends string> = App extends Record<Part, infer All> ? All : object
type Keys<Part extends string> = keyof Words<Part> & string

export type OwnPermission = Keys<'permissions'>
export type OwnAction = Keys<'actions'>
export type OwnProblem = Keys<'problems'>
export type OwnMail = Keys<'mails'>
export type OwnLimit = Keys<'limits'>
export type OwnTag = Keys<'tags'>
export type OwnTarget = App extends { targets: readonly (infer Target)[] } ? Target & string : never

/** The types that a detail of an own action can have. */
export interface DetailTypes {
  string: string
  number: number
  boolean: boolean
  'string[]': string[]
}

export interface OwnActionType {
  /** When it is recorded, as a clause: "an order is shipped". */
  when: string
  details?: Named<keyof DetailTypes>
}

/** The details that an action of the app may have. */
export type OwnDetails<A extends OwnAction> = Words<'actions'>[A & keyof Words<'actions'>] extends {
  details: infer Details
}
  ? { [K in keyof Details]?: DetailTypes[Details[K] & keyof DetailTypes] | undefined }
  : Record<string, never>

/** Values for the placeholders of a mail of the app. */
export type OwnParams<K extends OwnMail> = Words<'mails'>[K & keyof Words<'mails'>] extends {
  params: readonly (infer Name)[]
}
  ? Record<Name & string, string | number>
  : Record<string, never>

/** The words that an app declares. */
export interface OwnWords {
  /** Description by key, such as `orders:read`. The role `admin` has all of them. */
  permissions?: Named<string>
  /** The permissions that a system role gets when they are new. */
  grants?: { user?: readonly string[] }
  /** The words of the audit trail. */
  actions?: Named<OwnActionType>
  /** The kinds of things that actions are about, besides those of the portal. */
  targets?: readonly string[]
  problems?: Named<ProblemType>
  on?: Named<unknown>
}

// `record` and `DomainError` look these up, because they know no application.
export const ownActions = new Map<string, OwnActionType>()
export const ownTargets = new Set<string>()
const ownProblems = new Map<string, ProblemType>()

/** The number of details that were dropped in this process, by action. */
export const droppedDetails: Record<string, number> = {}

/** Makes the actions, their targets and the problems of an app known to this process. */
export function declareWords({ actions = {}, targets = [], problems = {} }: OwnWords) {
  for (const [name, action] of Object.entries(actions)) {
    ownActions.set(name, action)
    droppedDetails[name] ??= 0
  }
  // A malformed list is reported when the app is loaded.
  for (const target of Array.isArray(targets) ? (targets as string[]) : []) ownTargets.add(target)
  for (const [code, problem] of Object.entries(problems)) ownProblems.set(code, problem)
}

/** Longest text in a detail of an action of the app. */
export const mostDetail = 1000

/** PostgreSQL stores neither a null character in JSON nor half a surrogate pair. */
const isText = (value: unknown) =>
  typeof value === 'string' && value.length <= mostDetail && !/[\0\p{Cs}]/u.test(value)
const isOf: Record<keyof DetailTypes, (value: unknown) => boolean> = {
  string: isText,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value) && value.length <= mostDetail && value.every(isText)
}

let dropsDetails = false
/** Whether details that an action does not declare are dropped and counted, as in production. */
export const dropUndeclared = (isOn: boolean) => {
  dropsDetails = isOn
}

/**
 * Whether a record of the app may have this detail.
 * @throws Error for one that is not declared, except where these are dropped
 */
export function isOwnDetail(name: string, { details }: OwnActionType, key: string, value: unknown) {
  if (value === undefined) return false
  const type = details?.[key]
  if (type !== undefined && isOf[type](value)) return true
  if (dropsDetails) {
    droppedDetails[name] = (droppedDetails[name] ?? 0) + 1
    return false
  }
  throw new Error(
    type === undefined
      ? `${name} has no detail ${key}. Declare it in defineApp: actions`
      : `the detail ${key} of ${name} is not a ${type} of at most ${mostDetail}`
  )
}

/** @throws Error for a code that neither the portal nor the app has */
export function problemType(code: ProblemCode | OwnProblem): ProblemType {
  const isKnown = Object.hasOwn(problems, code)
  const found = isKnown ? problems[code as ProblemCode] : ownProblems.get(code)
  if (!found) throw new Error(`There is no problem ${code}. Declare it in defineApp.`)
  return found
}
