import type { TSchema } from '@sinclair/typebox'
import * as activity from './activity.ts'
import * as emails from './emails.ts'
import * as factors from './factors.ts'
import * as flagTrials from './flag-trials.ts'
import * as flags from './flags.ts'
import * as health from './health.ts'
import * as metrics from './metrics.ts'
import * as ofrep from './ofrep.ts'
import * as outbox from './outbox.ts'
import * as overview from './overview.ts'
import * as passkeys from './passkeys.ts'
import * as problem from './problem.ts'
import * as profiles from './profiles.ts'
import * as roles from './roles.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as users from './users.ts'

type Component = TSchema & { $id: string }

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && '$id' in value

/**
 * Every exported schema with an `$id`, by its name: what routes can refer to. If a file is missing
 * here, a route that refers to one of its schemas stops the start.
 */
export const components = [
  activity,
  emails,
  factors,
  flagTrials,
  flags,
  health,
  metrics,
  ofrep,
  outbox,
  overview,
  passkeys,
  problem,
  profiles,
  roles,
  sessions,
  settings,
  users
]
  .flatMap((file) => Object.values<unknown>(file))
  .filter(isComponent)
  .sort((a, b) => (a.$id < b.$id ? -1 : 1))
