import { ActivityDetails, ActivityPage, ActivityRecord } from './activity.ts'
import { FlagValue } from './flags.ts'
import { Health, Unavailable } from './health.ts'
import {
  BulkEvaluation,
  Evaluation,
  EvaluationFailure,
  EvaluationProblem,
  EvaluationRequest
} from './ofrep.ts'
import { Problem } from './problem.ts'
import { Profile, ProfilePatch } from './profiles.ts'
import { CurrentSession, OwnSession, OwnSessionPage, Registered, SignedIn } from './sessions.ts'
import {
  AccountDeletion,
  Email,
  EmailChange,
  Name,
  NameChange,
  PasswordChange,
  Theme
} from './settings.ts'
import { Credentials, CurrentUser, Registration } from './users.ts'

/** The components that routes refer to by name, without those that only the admin API uses. */
export const components = [
  Problem,
  Health,
  Unavailable,
  CurrentUser,
  CurrentSession,
  SignedIn,
  Registered,
  Registration,
  Credentials,
  Profile,
  ProfilePatch,
  Theme,
  Name,
  NameChange,
  Email,
  EmailChange,
  PasswordChange,
  AccountDeletion,
  FlagValue,
  EvaluationRequest,
  Evaluation,
  EvaluationFailure,
  EvaluationProblem,
  BulkEvaluation,
  OwnSession,
  OwnSessionPage,
  ActivityDetails,
  ActivityRecord,
  ActivityPage
]
