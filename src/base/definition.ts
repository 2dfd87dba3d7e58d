import type { Db } from '../../db/engine.ts'
import type { Action } from '../../db/schema/actions.ts'
import type { OwnMails } from '../domain/mail/composer.ts'
import type { EventFunction } from '../domain/webhooks/worker.ts'
import type { Registering } from '../domain/sign-in/context.ts'
import { declareWords } from '../domain/vocabulary.ts'
import type { OwnActionType } from '../domain/vocabulary.ts'
import type { ProblemType } from '../problems/problem-type.ts'

export interface Hooks {
  /**
   * Decides whether an account may be registered. It has one second. `detail` is shown to the
   * person who is refused.
   */
  beforeRegister?: (registering: Registering) => Promise<{ allow: boolean; detail?: string }>
  /** For a hook that fails or takes too long. By default the registration is refused. */
  onFailure?: 'refuse' | 'allow'
}

type Named<T> = Readonly<Record<string, T>>

/** Everything that an app adds to the portal. */
export interface AppDefinition {
  /** Description by key, such as `orders:read`. The role `admin` has all of them. */
  permissions?: Named<string>
  /** The permissions that a system role gets when they are new. */
  grants?: { user?: readonly string[] }
  /** The words of the audit trail. */
  actions?: Named<OwnActionType>
  /** The kinds of things that actions are about, besides those of the portal. */
  targets?: readonly string[]
  /** Description by name of a group of operations in the API document. */
  tags?: Named<string>
  mails?: OwnMails
  problems?: Named<ProblemType>
  /** `burst` calls at once, then one every `seconds`. */
  limits?: Named<{ burst: number; seconds: number }>
  /** The data that the app keeps about a user, by name: a part of `GET /api/user/export`. */
  exports?: Named<(db: Db, userId: string) => Promise<unknown>>
  hooks?: Hooks
  /**
   * Functions by the action whose records call them, those of the portal and of the app. They run
   * after the transaction, at least once, at any instance.
   */
  on?: Named<EventFunction> & Partial<Record<Action, EventFunction>>
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
