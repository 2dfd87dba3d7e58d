import type { Db } from '../../db/engine.ts'
import { declareWords } from '../domain/vocabulary.ts'
import type { OwnActionType } from '../domain/vocabulary.ts'
import type { ProblemType } from '../problems/problem-type.ts'

/** A mail of the app in one language. The texts have placeholders for `params`: `{number}`. */
export interface MailText {
  subject: string
  /** Paragraphs, which are separated by empty lines. */
  text: string
  /** A link at the end. */
  button?: { label: string; url: string }
}

export interface OwnMailType {
  /** The names of the placeholders. */
  params?: readonly string[]
  /** The texts by language tag. `en` is for readers whose language has none. */
  texts: { en: MailText } & Readonly<Record<string, MailText>>
}

/** What is known about a registration before anything is stored. */
export interface Registering {
  email: string
  name: string
  /** The address of the client, if it is known. */
  ip: string | undefined
}

export interface Hooks {
  /**
   * Decides whether an account may be registered. It has one second. `detail` is shown to the
   * person who is refused.
   */
  beforeRegister?: (registering: Registering) => Promise<{ allow: boolean; detail?: string }>
  /** What a hook that fails or takes too long means. By default the registration is refused. */
  onFailure?: 'refuse' | 'allow'
}

type Named<T> = Readonly<Record<string, T>>

/** What an app adds to the portal. */
export interface AppDefinition {
  /** Description by key, such as `orders:read`. The role `admin` has all of them. */
  permissions?: Named<string>
  /** What a system role gets when a permission is new. */
  grants?: { user?: readonly string[] }
  /** The words of the audit trail. */
  actions?: Named<OwnActionType>
  /** The kinds of things that actions are about, besides those of the portal. */
  targets?: readonly string[]
  /** Description by name of a group of operations in the API document. */
  tags?: Named<string>
  mails?: Named<OwnMailType>
  problems?: Named<ProblemType>
  /** `burst` calls at once, then one every `seconds`. */
  limits?: Named<{ burst: number; seconds: number }>
  /** What the app keeps about a user, by name: a part of `GET /api/user/export`. */
  exports?: Named<(db: Db, userId: string) => Promise<unknown>>
  hooks?: Hooks
}

const defined = new WeakSet<object>()

/** Whether a value comes from defineApp. */
export const isDefinition = (value: unknown): value is AppDefinition =>
  typeof value === 'object' && value !== null && defined.has(value)

/**
 * Defines an app. Name it in the types of the portal, so that its words are checked like the
 * portal's own:
 *
 *     declare module 'portal' {
 *       interface Register { app: typeof app }
 *     }
 *
 * Mistakes are reported when it is loaded, all at once, with its file.
 */
export function defineApp<const Definition extends AppDefinition>(
  definition: Definition
): Definition {
  defined.add(definition)
  declareWords(definition)
  return definition
}
