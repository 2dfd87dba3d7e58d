import { DomainError } from '../domain/domain-error.ts'

// Refusals of the transport, by status. Refusals thrown by domain rules are in
// src/domain/errors.ts.

export const malformedRequest = () =>
  new DomainError(
    400,
    'malformed-request',
    'The request cannot be read',
    'The URL or the HTTP message is malformed.'
  )

export const malformedJson = () =>
  new DomainError(
    400,
    'malformed-json',
    'The body is not JSON',
    'Send one JSON value in UTF-8, without a `__proto__` or `constructor` key.'
  )

export const invalidCursor = () =>
  new DomainError(
    400,
    'invalid-cursor',
    'The cursor is not valid here',
    'Use `nextCursor` of the previous page with the same filters and sort, or start again ' +
      'without a cursor.'
  )

export const originalMethodMissing = () =>
  new DomainError(
    400,
    'original-method-missing',
    'The original method is missing',
    'Name the method of the request that is checked, in capitals, in X-Original-Method or ' +
      'X-Forwarded-Method. Without it, a page of another site could not be told apart.'
  )

export const crossSite = () =>
  new DomainError(
    403,
    'cross-site',
    'Cross-site request',
    'A page of another site sent this request. Use the app that belongs to the portal.'
  )

export const notFound = () =>
  new DomainError(404, 'not-found', 'Not found', 'There is no resource at this URL.')

export const methodNotAllowed = () =>
  new DomainError(
    405,
    'method-not-allowed',
    'Method not allowed',
    'This URL does not support the method. The `Allow` header lists the methods it supports.'
  )

export const requestTimeout = () =>
  new DomainError(
    408,
    'request-timeout',
    'The request took too long to arrive',
    'Send the request again without delays.'
  )

export const bodyTooLarge = () =>
  new DomainError(
    413,
    'body-too-large',
    'The body is too large',
    'Send at most 16 KiB, or 4 KiB under /api/auth.'
  )

export const uriTooLong = () =>
  new DomainError(
    414,
    'uri-too-long',
    'The URL is too long',
    'Use at most 2048 characters, and no path segment longer than a valid id or key.'
  )

export const unsupportedMediaType = () =>
  new DomainError(
    415,
    'unsupported-media-type',
    'Only JSON is accepted',
    'Send the body as application/json, in UTF-8 and uncompressed.'
  )

export const expectationFailed = () =>
  new DomainError(
    417,
    'expectation-failed',
    'Unsupported Expect header',
    'Remove the Expect header, or send 100-continue.'
  )

export const hostNotAllowed = () =>
  new DomainError(
    421,
    'host-not-allowed',
    'Host not allowed',
    'The portal does not serve the host name of this request.'
  )

export const mailNotShown = () =>
  new DomainError(
    421,
    'host-not-allowed',
    'Mail is shown on this machine only',
    'Open /mail on the machine that runs the portal, at http://localhost.'
  )

export const headersTooLarge = () =>
  new DomainError(
    431,
    'headers-too-large',
    'The headers are too large',
    'Send fewer or shorter headers.'
  )

export const rejected = (status: number) =>
  new DomainError(
    status,
    'request-rejected',
    'The request was rejected',
    'The portal does not accept this request. Change it before you send it again.'
  )

export const internal = () =>
  new DomainError(
    500,
    'internal-error',
    'Something went wrong',
    'The portal failed unexpectedly. Try again later. If the error persists, report the request ' +
      'id in `instance`.'
  )
