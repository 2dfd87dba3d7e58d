/** One field of a refused request: where, a stable code, and what to do. Never what was received. */
export interface FieldError {
  pointer: string
  code: string
  message: string
}

/** A refusal: expected, explained, and the same for everybody who asks the same. `code` never changes once published. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: string
  readonly statusCode: number
  readonly title: string
  readonly errors: FieldError[] | undefined
  /** Whole seconds after which it may be gone. */
  readonly retryAfter: number | undefined
  readonly noted: Noted | undefined

  constructor(
    statusCode: number,
    code: string,
    title: string,
    detail: string,
    more: { errors?: FieldError[]; retryAfter?: number; noted?: Noted | undefined } = {}
  ) {
    super(detail)
    this.code = code
    this.statusCode = statusCode
    this.title = title
    this.errors = more.errors
    this.retryAfter = more.retryAfter
    this.noted = more.noted
  }
}

/** What the activity record of a refusal says beside who and where; the answer does not. */
export interface Noted {
  /** Which budget was used up. */
  limit: string
  userId?: string | undefined
}

/** An answer lists no more field errors than this. */
export const maxFieldErrors = 100

export const invalidFields = (...errors: FieldError[]) =>
  new DomainError(
    400,
    'invalid-request',
    'The request is not valid',
    'Some of the input is not valid. Correct the listed fields and try again.',
    { errors: errors.slice(0, maxFieldErrors) }
  )

/**
 * Runs every check and returns their results. When fields are refused, throws one refusal that names all of them:
 * a form then shows every mistake at once. Any other error is thrown as it is.
 */
export async function checkAll<T extends unknown[]>(...checks: { [K in keyof T]: () => T[K] }) {
  const results = await Promise.allSettled(checks.map(async (check) => check()))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : []
  )
  const fields = failures.map((error) => (error instanceof DomainError ? error.errors : undefined))
  if (failures.length > 0) {
    throw (
      failures[fields.indexOf(undefined)] ??
      invalidFields(...fields.flatMap((errors) => errors ?? []))
    )
  }
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as {
    [K in keyof T]: Awaited<T[K]>
  }
}

export const rateLimited = (seconds: number, noted?: Noted) =>
  new DomainError(
    429,
    'rate-limited',
    'Too many attempts',
    `Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfter: seconds, noted }
  )

export const overloaded = () =>
  new DomainError(
    503,
    'overloaded',
    'Too busy',
    'The portal has more requests than it can handle. Try again in a moment.',
    { retryAfter: 1 }
  )

export const databaseUnavailable = () =>
  new DomainError(
    503,
    'database-unavailable',
    'The database does not answer',
    'Confirmed changes are safe. Try again in a moment.',
    { retryAfter: 1 }
  )

export const unauthenticated = () =>
  new DomainError(
    401,
    'unauthenticated',
    'Not signed in',
    'There is no session, or it has ended. Sign in and try again.'
  )

export const invalidCredentials = () =>
  new DomainError(
    401,
    'invalid-credentials',
    'E-mail or password is wrong',
    'Check both and try again.'
  )

export const permissionDenied = () =>
  new DomainError(
    403,
    'permission-denied',
    'Not allowed',
    'Your account lacks the permission for this. An administrator can grant it.'
  )

export const wrongPassword = () =>
  new DomainError(
    403,
    'wrong-password',
    'The current password is wrong',
    'Type the password you sign in with. Nothing was changed.'
  )

export const exceedsOwnPermissions = () =>
  new DomainError(
    403,
    'exceeds-own-permissions',
    'More than you may do yourself',
    'You cannot grant or take away a permission you do not have, or act on an account that has permissions you lack.'
  )

export const registrationClosed = () =>
  new DomainError(
    403,
    'registration-closed',
    'Registration is closed',
    'Only an administrator can create accounts.'
  )

export const emailTaken = () =>
  new DomainError(
    409,
    'email-taken',
    'The e-mail address is taken',
    'An account with this e-mail address exists. Sign in, or use another address.'
  )

export const lastAdmin = () =>
  new DomainError(
    409,
    'last-admin',
    'The last administrator',
    'Without this account, nobody could administer the portal. Add another administrator first.'
  )

export const systemEntity = () =>
  new DomainError(
    409,
    'system-entity',
    'Part of the portal itself',
    'The roles and permissions of the portal itself cannot be renamed or deleted, and the role `admin` keeps every permission.'
  )

export const roleExists = () =>
  new DomainError(
    409,
    'role-exists',
    'The role exists',
    'A role with this key exists. Choose another key, or change that role.'
  )

export const permissionExists = () =>
  new DomainError(
    409,
    'permission-exists',
    'The permission exists',
    'A permission with this key exists. Choose another key.'
  )

export const flagExists = () =>
  new DomainError(
    409,
    'flag-exists',
    'The flag exists',
    'A feature flag with this key exists. Choose another key, or change that flag.'
  )

export const targetingKeyMissing = () =>
  new DomainError(
    400,
    'targeting-key-missing',
    'No targeting key',
    'The flag is split by a targeting key. Send context.targetingKey, or sign in.'
  )

export const preconditionFailed = () =>
  new DomainError(
    412,
    'precondition-failed',
    'Changed in the meantime',
    'It was changed after you read it. Read it again, then apply your change to the new version.'
  )

const notFound = (noun: string, where: string) => () =>
  new DomainError(404, `${noun.replaceAll(' ', '-')}-not-found`, `No such ${noun}`, where)

export const userNotFound = notFound(
  'user',
  'There is no user with this id. It may have been deleted.'
)
export const userNotFoundByEmail = notFound('user', 'There is no user with this address.')
export const roleNotFound = notFound('role', 'There is no role with this key.')
export const permissionNotFound = notFound('permission', 'There is no permission with this key.')
export const flagNotFound = notFound(
  'flag',
  'There is no feature flag with this key, or it is not public.'
)
export const sessionNotFound = notFound('session', 'There is no active session with this id.')
export const activityNotFound = notFound(
  'activity record',
  'There is no record with this id. Records older than the retention time are deleted.'
)
