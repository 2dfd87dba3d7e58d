/**
 * Fields whose old and new values are in records. Not those of the profile, such as pronouns or
 * location: records outlive the account, and what users take out of their profile should be gone.
 */
export const recordedFields = [
  'email',
  'name',
  'theme',
  'description',
  'requiresSecondFactor',
  'status'
] as const

/**
 * The details of a record besides actor, action and target. Never a password, hash, token, cookie
 * or secret.
 */
export interface ActivityDetails {
  email: string
  /** Number of sessions that a sign-in replaced. */
  replaced: number
  /** Number of sessions that ended as a result. */
  revoked: number
  sessionId: string
  /** Authentication methods (RFC 8176). */
  amr: string[]
  /** Key of a provider. */
  provider: string
  /** Name of a passkey or an API key. */
  name: string
  /** Whether signing in requires a second factor from now on. */
  required: boolean
  /** Names of the changed fields. */
  fields: string[]
  /** The values before and after, by field. */
  changes: { [F in (typeof recordedFields)[number]]?: Record<'from' | 'to', string | boolean> }
  /** In records of version 0.1, instead of `changes`. */
  before: { email: string }
  after: { email: string }
  /** Key of a role, permission or flag, or id of an API key. */
  key: string
  /** Networks to which a new API key is limited, and when it expires in ISO 8601. */
  networks: string[]
  expiresAt: string
  /** When an API key was first used from a network, in ISO 8601, if the record came later. */
  firstAt: string
  /** Key of a service. */
  service: string
  /** Host of the URL of a webhook: the rest of it may have secrets. */
  host: string
  /** Patterns of the actions that a webhook gets. */
  events: string[]
  role: string
  /** In which scope a role was granted or revoked. */
  scope: string
  /** These say what an imported user has from the beginning, besides the role `user`. */
  grantedRoles: string[]
  providers: string[]
  secondFactor: boolean
  parts: string[]
  status: string
  permission: string
  permissions: string[]
  /** Version of a flag after the change. */
  version: number
  /** Number of users who had the deleted role, or lost it in a step of its deletion. */
  members: number
  /** Number of roles that had the deleted permission. */
  roles: number
  /** Method and path pattern. */
  route: string
  /** Name of the rate limit that was exceeded, such as login-pair. */
  limit: string
  /** Kind of a mail. */
  kind: string
  /** Why a mail was not delivered, as a class: "smtp 550". */
  error: string
  /** The reply of the mail server, without addresses and secrets. */
  reply: string
  /** Which settings of the app: `user` or `app`. */
  part: string
  /** Whether a console may change something. */
  write: boolean
  /** Id of the API key with which the actor acted. In records of every action. */
  actorKey: string
  /** How many: refusals in the time that the record covers, mails, exported users, or keys. */
  count: number
}
