import type { ProblemType } from './problem-type.ts'

/** Problems with the request itself, and of the portal. */
export const requests = {
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    detail: 'The URL or the HTTP message is malformed.'
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    detail: 'Send one JSON value in UTF-8, without a `__proto__` or `constructor` key.'
  },
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    detail: 'Some of the input is not valid. Correct the listed fields and try again.'
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not valid here',
    detail:
      'Use `nextCursor` of the previous page with the same filters and sort, or start ' +
      'again without a cursor.'
  },
  'original-method-missing': {
    status: 400,
    title: 'The original method is missing',
    detail:
      'Send the method of the original request, in capitals, in X-Original-Method or ' +
      'X-Forwarded-Method. Without it, the portal cannot reject changes that a page of another ' +
      'site sends.'
  },
  'targeting-key-missing': {
    status: 400,
    title: 'Targeting key missing',
    detail: 'The flag is split by targeting key. Send `context.targetingKey`, or sign in.'
  },
  'cross-site': {
    status: 403,
    title: 'Cross-site request',
    detail: 'A page of another site sent this request. Use the app that belongs to the ' + 'portal.'
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'There is no resource at this URL.'
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail:
      'This URL does not support the method. The `Allow` header lists the methods it ' + 'supports.'
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'Send the request again without delays.'
  },
  'precondition-failed': {
    status: 412,
    title: 'Changed in the meantime',
    detail:
      'The resource was changed after you read it. Read it again, then apply your ' +
      'change to the new version.'
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    detail:
      'Send at most 16 KiB, 4 KiB under /api/auth, or 48 KiB to evaluate an unsaved feature flag.'
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    detail: 'Use at most 2048 characters, and no path segment longer than a valid id or ' + 'key.'
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Only JSON is accepted',
    detail: 'Send the body as application/json, in UTF-8 and uncompressed.'
  },
  'expectation-failed': {
    status: 417,
    title: 'Unsupported Expect header',
    detail: 'Remove the Expect header, or send 100-continue.'
  },
  'host-not-allowed': {
    status: 421,
    title: 'Host not allowed',
    detail: 'The portal does not serve the host name of this request.'
  },
  'rate-limited': {
    status: 429,
    title: 'Too many attempts',
    detail: 'Try again after the number of seconds in the Retry-After header.'
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    detail: 'Send fewer or shorter headers.'
  },
  'request-rejected': {
    status: 400,
    title: 'The request was rejected',
    detail: 'The portal does not accept this request. Change it before you send it again.'
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong',
    detail:
      'The portal failed unexpectedly. Try again later. If the error persists, report ' +
      'the request id in `instance`.'
  },
  'database-unavailable': {
    status: 503,
    title: 'The database does not answer',
    detail: 'Confirmed changes are safe. Try again in a moment.'
  },
  overloaded: {
    status: 503,
    title: 'Too busy',
    detail: 'The portal cannot handle this request right now. Try again in a moment.'
  }
} as const satisfies Record<string, ProblemType>
