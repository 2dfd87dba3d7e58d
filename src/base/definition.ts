import type { Db } from '../../db/engine.ts'
import type { Action } from '../../db/schema/actions.ts'
import type { OwnMails } from '../domain/mail/composer.ts'
import type { EventFunction } from '../domain/webhooks/worker.ts'
import type { Registering } from '../domain/sign-in/context.ts'
import { declareWords } from '../domain/vocabulary.ts'
import type { Named, OwnWords } from '../domain/vocabulary.ts'

export interface Hooks {
  /**
   * Decides whether an account may be registered. It has one second. `detail` is shown to the
   * person who is refused.
   */
  beforeRegister?: (registering: Registering) => Promise<{ allow: boolean; detail?: string }>
  /** For a hook that fails or takes too long. By default the registration is refused. */
  onFailure?: 'refuse' | 'allow'
}

/** Everything that an app adds to the portal. */
export interface AppDefinition extends OwnWords {
  /** Description by name of a group of operations in the API document. */
  tags?: Named<string>
  mails?: OwnMails
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
export const isDefinition = (value: unknown): value is AppDefinition => defined.has(Object(value))

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
