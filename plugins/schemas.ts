import fp from 'fastify-plugin'
import { ActivityDetails, ActivityPage, ActivityRecord } from '../src/schemas/activity.ts'
import { FlagValue } from '../src/schemas/flags.ts'
import { Health, Unavailable } from '../src/schemas/health.ts'
import {
  BulkEvaluation,
  Evaluation,
  EvaluationFailure,
  EvaluationProblem,
  EvaluationRequest
} from '../src/schemas/ofrep.ts'
import { Problem } from '../src/schemas/problem.ts'
import { Profile, ProfilePatch } from '../src/schemas/profiles.ts'
import {
  CurrentSession,
  OwnSession,
  OwnSessionPage,
  Registered,
  SignedIn
} from '../src/schemas/sessions.ts'
import {
  AccountDeletion,
  Email,
  EmailChange,
  Name,
  NameChange,
  PasswordChange,
  Theme
} from '../src/schemas/settings.ts'
import { Credentials, CurrentUser, Registration } from '../src/schemas/users.ts'

const components = [
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

/** The components that routes and the OpenAPI document refer to by name; those of the admin API in development only. */
export default fp(
  async (app) => {
    for (const schema of [
      ...components,
      ...(app.config.development ? await adminComponents() : [])
    ]) {
      app.addSchema(schema)
    }
  },
  { name: 'schemas', dependencies: ['config'] }
)

// A function of its own: inside of the plugin the compiler would leave the file's name as it is.
async function adminComponents() {
  return (await import('../src/schemas/admin.ts')).adminComponents
}
