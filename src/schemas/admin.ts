import { ActivitySummary } from './activity.ts'
import { Flag, FlagPage, FlagPatch, FlagRule, NewFlag } from './flags.ts'
import {
  NewPermission,
  NewRole,
  Permission,
  PermissionPage,
  PermissionPatch,
  Role,
  RolePage,
  RolePatch
} from './roles.ts'
import { Session, SessionPage } from './sessions.ts'
import { NewPassword } from './settings.ts'
import { NewUser, User, UserPage, UserPatch } from './users.ts'

/** The components that only the admin API uses. */
export const adminComponents = [
  User,
  UserPage,
  NewUser,
  UserPatch,
  NewPassword,
  Role,
  RolePage,
  NewRole,
  RolePatch,
  Permission,
  PermissionPage,
  NewPermission,
  PermissionPatch,
  FlagRule,
  Flag,
  FlagPage,
  NewFlag,
  FlagPatch,
  Session,
  SessionPage,
  ActivitySummary
]
