import { activity } from './schema/activity.ts'
import { epochDeltas, epochParts, epochs } from './schema/epochs.ts'
import { flags } from './schema/flags.ts'
import { jobs } from './schema/jobs.ts'
import { outbox } from './schema/outbox.ts'
import { passkeys } from './schema/passkeys.ts'
import { pendingLogins } from './schema/pending-logins.ts'
import { permissions } from './schema/permissions.ts'
import { registrations } from './schema/registrations.ts'
import { rolePermissions, roles, userRoles } from './schema/roles.ts'
import { recoveryCodes, spentChallenges, totp } from './schema/second-factors.ts'
import { sessions } from './schema/sessions.ts'
import { throttle } from './schema/throttle.ts'
import { tokens } from './schema/tokens.ts'
import { users } from './schema/users.ts'

/** All tables. A test compares them with the database. */
export const tables = [
  activity,
  epochDeltas,
  epochParts,
  epochs,
  flags,
  jobs,
  outbox,
  passkeys,
  pendingLogins,
  permissions,
  recoveryCodes,
  registrations,
  rolePermissions,
  roles,
  sessions,
  spentChallenges,
  throttle,
  tokens,
  totp,
  userRoles,
  users
]
