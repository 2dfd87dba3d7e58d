import { problems } from '../problems/list.ts'
import type { ProblemCode } from '../problems/list.ts'
import type { ProblemType } from '../problems/problem-type.ts'

// The words that an app adds to those of the portal. Their types follow from its definition, see
// src/base/definition.ts.

/** An app names its definition here: `interface Register { app: typeof app }`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Register {}

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
  details?: Readonly<Record<string, keyof DetailTypes>>
}

/** The details that an action of the app may have. */
export type OwnDetails<A extends OwnAction> = Words<'actions'>[A & keyof Words<'actions'>] extends {
  details: infer Details
}
  ? { [K in keyof Details]?: DetailTypes[Details[K] & keyof DetailTypes] }
  : Record<string, never>

/** What `record` and `DomainError` look up, because they know no application. */
const own = {
  actions: new Map<string, OwnActionType>(),
  problems: new Map<string, ProblemType>()
}

/** Makes the actions and problems of an app known to this process. */
export function declareWords({
  actions = {},
  problems = {}
}: {
  actions?: Readonly<Record<string, OwnActionType>>
  problems?: Readonly<Record<string, ProblemType>>
}) {
  for (const [name, action] of Object.entries(actions)) own.actions.set(name, action)
  for (const [code, problem] of Object.entries(problems)) own.problems.set(code, problem)
}

export const ownAction = (name: string) => own.actions.get(name)

/** @throws Error for a code that neither the portal nor the app has */
export function problemType(code: ProblemCode | OwnProblem): ProblemType {
  const found = Object.hasOwn(problems, code)
    ? problems[code as ProblemCode]
    : own.problems.get(code)
  if (!found) throw new Error(`There is no problem ${code}. Declare it in defineApp.`)
  return found
}
