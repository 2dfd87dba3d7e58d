import type { ReauthenticationMethod } from '../../db/schema/second-factors.ts'
import type { ProofChallenge } from '../problems/challenges.ts'
import type { FieldCode } from '../problems/fields.ts'
import type { ProblemCode } from '../problems/list.ts'
import type { ProviderReason } from '../problems/provider-reasons.ts'
import { problemType } from './vocabulary.ts'
import type { OwnProblem } from './vocabulary.ts'

/**
 * An error in one field of a request: a pointer, a stable code and what to do. Never the received
 * value.
 */
export interface FieldError {
  pointer: string
  code: FieldCode
  message: string
}

/** An expected error with an explanation for the caller, as in the list of problems. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: ProblemCode | OwnProblem
  readonly statusCode: number
  readonly title: string
  readonly errors: FieldError[] | undefined
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined
  readonly details: RefusalDetails | undefined
  readonly reauthentication: Reauthentication | undefined
  /** When the account will be deleted. */
  readonly deleteAt: Date | undefined
  /** Its solution must come with the call. */
  readonly challenge: ProofChallenge | undefined

  /** @param more overrides of the list, and facts of this occurrence */
  constructor(
    code: ProblemCode | OwnProblem,
    more: {
      status?: number
      detail?: string
      errors?: FieldError[]
      retryAfter?: number
      details?: RefusalDetails | undefined
      reauthentication?: Reauthentication
      deleteAt?: Date
      challenge?: ProofChallenge
    } = {}
  ) {
    const { status, title, detail } = problemType(code)
    super(more.detail ?? detail)
    this.code = code
    this.statusCode = more.status ?? status
    this.title = title
    this.errors = more.errors
    this.retryAfter = more.retryAfter
    this.details = more.details
    this.reauthentication = more.reauthentication
    this.deleteAt = more.deleteAt
    this.challenge = more.challenge
  }
}

/** Details for the activity record or the log. They are not part of the response. */
export interface RefusalDetails {
  /** Name of the rate limit that was exceeded. */
  limit?: string
  /** The permission that the actor lacks. */
  permission?: string | undefined
  /** Why a provider did not sign somebody in. */
  reason?: ProviderReason
  /** The issuer that a provider names instead of that of the configuration. */
  issuer?: string | undefined
  userId?: string | undefined
  serviceId?: string | undefined
  /** Id of the API key that was refused. */
  key?: string | undefined
}

export interface ProviderProofs {
  keys: string[]
  /** Whether the provider must prove two factors. */
  needsTwo: boolean
  /** Whether the user has nothing else, so that a round trip counts without its time. */
  isAlone: boolean
}

/** The ways to resolve `reauthentication-required`. */
export interface Reauthentication {
  methods: ReauthenticationMethod[]
  /** The confirmed address, by which a provider may be required. */
  email?: string | undefined
  /** Seconds for which a proof is recent. */
  maxAge: number
  /** With `provider` among the methods: where the user has accounts, by key. */
  providers?: ProviderProofs
}

/** Maximum number of field errors that a response lists. */
export const maxFieldErrors = 100

export const invalidFields = (...errors: FieldError[]) =>
  new DomainError('invalid-request', { errors: errors.slice(0, maxFieldErrors) })

/** Throws a refusal that names every item of a list that is not valid. */
export function requireItems<T>(
  items: readonly T[],
  isValid: (item: T) => boolean,
  { pointer, ...error }: FieldError
) {
  const errors = items.flatMap((item, index) =>
    isValid(item) ? [] : [{ ...error, pointer: `${pointer}/${index}` }]
  )
  if (errors.length > 0) throw invalidFields(...errors)
}

/**
 * Runs every check and returns their results. When fields are rejected, throws one refusal that
 * lists all of them, so that a form shows every mistake at once. Other errors are thrown unchanged.
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

export const rateLimited = (seconds: number, details?: RefusalDetails) =>
  new DomainError('rate-limited', {
    detail: `There were too many attempts. Try again in ${duration(seconds)}.`,
    retryAfter: seconds,
    details
  })

/** @param seconds rounded up to minutes from two minutes on */
function duration(seconds: number) {
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** A key cannot authenticate again, so there are no methods. */
export const cannotReauthenticate = () =>
  new DomainError('reauthentication-required', {
    detail: 'This needs a person: an API key cannot prove again who they are.'
  })

export const overloaded = () => new DomainError('overloaded', { retryAfter: 1 })

/** Not sent automatically, unlike the link of a sign-in. */
export const confirmEmailFirst = () =>
  new DomainError('email-unverified', {
    detail:
      'Confirm your e-mail address first: ask for a link, and open it while you are signed in.'
  })
/** A text for people, by the clock of this instance. */
export const timeIn = (seconds: number) =>
  `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
export const revisionNotFound = () => new DomainError('revision-not-found')

/** The revisions that a writer accepts; undefined accepts any. */
export type Expected = readonly string[] | undefined

/** Throws `precondition-failed` for another revision. Call it with the row locked. */
export function requireRevision(revision: string, expected: Expected) {
  if (expected && !expected.includes(revision)) throw new DomainError('precondition-failed')
}
