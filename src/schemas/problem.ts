import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { uuidForm } from '../../db/schema/columns.ts'
import { reauthenticationMethods } from '../../db/schema/second-factors.ts'
import type { OwnProblem } from '../domain/vocabulary.ts'
import { fieldCodes } from '../problems/fields.ts'
import type { FieldCode } from '../problems/fields.ts'
import { problems } from '../problems/list.ts'
import type { ProblemCode } from '../problems/list.ts'
import { closed, headers, integer, oneOf, plainText, ref, text, Timestamp } from './primitives.ts'
import type { Headers } from './primitives.ts'
import { ProofChallenge } from './proofs.ts'
import { ShownProvider } from './providers.ts'

export const ProblemCodes = Type.Unsafe<ProblemCode | OwnProblem>({
  $id: 'ProblemCode',
  type: 'string',
  enum: Object.keys(problems).sort(),
  description: 'Stable code for programs. Each operation lists those that it can send'
})

/** @public a component of the API document */
export const FieldCodes = Type.Unsafe<FieldCode>({
  $id: 'FieldCode',
  type: 'string',
  enum: Object.keys(fieldCodes).sort(),
  description: 'Stable code for programs'
})

/** RFC 9457. */
export const Problem = Type.Object(
  {
    type: Type.String({
      maxLength: 100,
      pattern: '^/problems/[a-z0-9-]+$',
      description: 'Problem type: a path that ends with `code`'
    }),
    title: text(200, { description: 'Short summary of the problem type' }),
    status: integer(400, 599, 'HTTP status code'),
    code: ref(ProblemCodes),
    detail: text(500, {
      description: 'What is wrong and what to do, to be shown to the user as it is'
    }),
    instance: Type.String({
      maxLength: 45,
      pattern: uuidForm.source.replace('^', '^urn:uuid:'),
      description: 'Request id of this occurrence, as in X-Request-Id and the log'
    }),
    errors: Type.Optional(
      Type.Array(
        closed({
          pointer: Type.String({
            maxLength: 200,
            pattern: plainText,
            description:
              'JSON Pointer (RFC 6901) into the request body, or /query/…, /path/… or ' +
              '/header/… for other parts of the request'
          }),
          code: ref(FieldCodes),
          message: text(1000, { description: 'Explanation for people' })
        }),
        { maxItems: 100, description: 'Fields to correct; only with status 400' }
      )
    ),
    challenge: Type.Optional(
      ref(
        ProofChallenge,
        'To be solved before the call is repeated; only with `challenge-required`'
      )
    ),
    deleteAt: Type.Optional(
      Timestamp('When the account will be deleted; only with `deletion-pending`')
    ),
    methods: Type.Optional(
      Type.Array(oneOf(reauthenticationMethods), {
        maxItems: reauthenticationMethods.length,
        description: 'How the user can authenticate again; only with `reauthentication-required`'
      })
    ),
    providers: Type.Optional(
      Type.Array(ref(ShownProvider), {
        maxItems: 50,
        description:
          'Providers with which the user can authenticate again; only with ' +
          '`reauthentication-required`'
      })
    ),
    maxAge: Type.Optional(
      integer(
        1,
        86_400,
        'Seconds for which an authentication is recent; only with `reauthentication-required`'
      )
    )
  },
  {
    $id: 'Problem',
    additionalProperties: false,
    description: 'A problem document (RFC 9457)',
    examples: [
      {
        type: '/problems/invalid-request',
        title: 'The request is not valid',
        status: 400,
        code: 'invalid-request',
        detail: 'Some of the input is not valid. Correct it and try again.',
        instance: 'urn:uuid:5e2d5f0c-8f8e-4f0b-9b62-0d2c8a4b7f11',
        errors: [{ pointer: '/password', code: 'too-short', message: 'At least 8 characters' }]
      }
    ]
  }
)

export type ProblemDocument = Static<typeof Problem>

/** A response that reports a problem, for the response map of a route. */
export interface ProblemResponse {
  description: string
  /** Codes that the route sends with this status, beside those of every such route. */
  codes: readonly (ProblemCode | OwnProblem)[]
  headers?: Headers
  content: Record<string, { schema: TSchema }>
}

export const problem = (
  description: string,
  ...codes: (ProblemCode | OwnProblem)[]
): ProblemResponse => ({
  description,
  codes,
  content: { 'application/problem+json': { schema: ref(Problem) } }
})

/** A temporary problem: the response has a Retry-After header. */
export const passingProblem = (
  description: string,
  ...codes: (ProblemCode | OwnProblem)[]
): ProblemResponse => ({
  ...problem(description, ...codes),
  headers: headers.retryAfter
})

export const challenged = problem(
  'The call would send mail to somebody who may not have asked for it: solve `challenge`, and ' +
    'repeat the call with the solution in Portal-Proof',
  'challenge-required'
)

export const tooMany = passingProblem(
  'Too many attempts; Retry-After says when to try again',
  'rate-limited'
)

/** Refusals of routes that take the token of a link. */
export const byLink = {
  400: problem('A field is not valid, or the link is not valid', 'invalid-token'),
  429: tooMany
}

/** Refusals of routes that create an account. */
export const noRegistration = {
  403: problem(
    'Registration is closed, or refused by a rule or a hook, or the domain of the address ' +
      'requires a provider',
    'registration-closed',
    'domain-refused',
    'registration-refused',
    'provider-required'
  ),
  429: tooMany,
  503: passingProblem('A hook could not say whether the account may exist', 'hook-failed')
}

/** Refusals of sign-ins with the right password or passkey. */
export const refusedSignIn = problem(
  'The e-mail address is not confirmed, and a link is sent to it; or its domain requires a ' +
    'provider; or the account will be deleted',
  'email-unverified',
  'deletion-pending',
  'provider-required'
)

export const uncheckable = passingProblem(
  'The portal cannot check the code, or its database is unavailable; Retry-After says when to ' +
    'try again',
  'second-factor-unreadable'
)

export const unproved = problem(
  'The current password is wrong, a recent authentication is required, or the domain of the ' +
    'e-mail address requires a provider, not a password',
  'wrong-password',
  'reauthentication-required',
  'provider-required'
)

export const needsProvider = problem(
  'The domain of the e-mail address requires a provider',
  'provider-required'
)

/** With If-Match. */
export const changedSince = (noun: string) =>
  problem(`The ${noun} was changed after the revision given in If-Match`, 'precondition-failed')

export const noUser = problem('No user has this id', 'user-not-found')

export const exceedsUser = problem(
  'The caller lacks `users:update` or a permission that the user has, or changes their own ' +
    'account without a recent authentication',
  'exceeds-own-permissions',
  'reauthentication-required'
)
