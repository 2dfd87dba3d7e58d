/** One field of a refused request: where, a stable code, and what to do. Never what was received. */
export interface FieldError { pointer: string, code: string, message: string }

/** A refusal: expected, explained, and the same for everybody who asks the same. `code` never changes once published. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: string
  readonly statusCode: number
  readonly title: string
  readonly errors: FieldError[] | undefined

  constructor (statusCode: number, code: string, title: string, detail: string, errors?: FieldError[]) {
    super(detail)
    this.code = code
    this.statusCode = statusCode
    this.title = title
    this.errors = errors
  }
}

export const invalidFields = (...errors: FieldError[]) =>
  new DomainError(400, 'invalid-request', 'The request is not valid', 'Correct what `errors` names and send the request again.', errors)

export const unauthenticated = () =>
  new DomainError(401, 'unauthenticated', 'Not signed in', 'There is no session, or it has ended. Sign in and try again.')

export const invalidCredentials = () =>
  new DomainError(401, 'invalid-credentials', 'E-mail or password is wrong', 'Check both and try again.')

export const permissionDenied = () =>
  new DomainError(403, 'permission-denied', 'Not allowed', 'Your account lacks the permission for this. An administrator can grant it.')

export const registrationClosed = () =>
  new DomainError(403, 'registration-closed', 'Registration is closed', 'New accounts are made by an administrator only.')

export const emailTaken = () =>
  new DomainError(409, 'email-taken', 'The e-mail address is taken', 'An account with this e-mail address exists. Sign in, or use another address.')
