import type { ProblemType } from './problem-type.ts'

/** Problems with the request itself, and of the portal. */
export const requests = {
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    detail: 'The portal could not read the request. Reload the page and try again.',
    hint: 'The URL or the HTTP message is malformed'
  },
  'http-version': {
    status: 505,
    title: 'Another version of HTTP',
    detail: 'The portal could not read the request. Reload the page and try again.',
    hint: 'Send HTTP/1.1. A proxy in front of the portal translates HTTP/2 and HTTP/3'
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    detail: 'The portal could not read the request. Reload the page and try again.',
    hint: 'Send one JSON value in UTF-8, without a `__proto__` or `constructor` key'
  },
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    detail: 'Some of the input is not valid. Correct it and try again.',
    hint: '`errors` lists the fields'
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not valid here',
    detail: 'The list cannot be continued from here. Start again from its first page.',
    hint: 'Use `nextCursor` of the previous page with the same filters and sort'
  },
  'original-method-missing': {
    status: 400,
    title: 'The original method is missing',
    detail:
      'The proxy in front of this site is not set up correctly, so the portal cannot check the ' +
      'request. Tell an administrator.',
    hint:
      'Send the method of the original request, in capitals, in `X-Original-Method` or ' +
      '`X-Forwarded-Method`. Without it, the portal cannot reject changes that a page of another ' +
      'site sends'
  },
  'two-credentials': {
    status: 400,
    title: 'Two credentials',
    detail:
      'The request has a session and an API key, so it is not clear on whose behalf it is sent. ' +
      'Send only one of them.',
    hint: 'Send either the session cookie or `Authorization: Bearer portal_…`'
  },
  'targeting-key-missing': {
    status: 400,
    title: 'Targeting key missing',
    detail: 'This feature depends on who asks, and the request does not say who. Sign in first.',
    hint: 'The flag is split by targeting key. Send `context.targetingKey`, or sign in'
  },
  'cross-site': {
    status: 403,
    title: 'Cross-site request',
    detail: 'A page of another site sent this request. Use the app that belongs to the portal.'
  },
  'console-ended': {
    status: 401,
    title: 'The console has ended',
    detail:
      'This page no longer belongs to a running console. Open the newest link that its terminal ' +
      'printed, or start it again.',
    hint: 'Only in `portal console`: send the token of `POST /api/console/session` as `Bearer`'
  },
  'read-only': {
    status: 403,
    title: 'The console is read-only',
    detail:
      'This console only reads. To change something, end it and start it again with the option ' +
      '--write.',
    hint: 'Only in `portal console` without `--write`'
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'This address does not exist. Check it for mistakes.'
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This cannot be done at this address. Reload the page and try again.',
    hint: 'The `Allow` header lists the methods that the URL supports'
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'The request took too long to arrive. Check your connection and try again.'
  },
  'precondition-failed': {
    status: 412,
    title: 'Changed in the meantime',
    detail: 'This was changed after you opened it. Open it again, then repeat your change.',
    hint: 'Read the resource again, and send its new `ETag` as `If-Match`'
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    detail: 'The request is too long. Shorten your input and try again.',
    hint:
      'Send at most 16 KiB, 4 KiB under `/api/auth`, 48 KiB for a feature flag, or 64 KiB to try ' +
      'one'
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    detail: 'The address is too long. Check it for mistakes.',
    hint:
      'Use at most 2048 characters (8192 where a provider leads back to), and no path segment ' +
      'longer than a valid id or key'
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Only JSON is accepted',
    detail: 'The portal cannot read this kind of content. Reload the page and try again.',
    hint: 'Send the body as `application/json`, in UTF-8 and uncompressed'
  },
  'expectation-failed': {
    status: 417,
    title: 'Unsupported Expect header',
    detail: 'The portal cannot process the request in this form. Reload the page and try again.',
    hint: 'Remove the `Expect` header, or send `100-continue`'
  },
  'host-not-allowed': {
    status: 421,
    title: 'Host not allowed',
    detail: 'The portal is not available at this address. Ask an administrator for the right one.',
    hint: 'The host name of the request is neither that of `PUBLIC_ORIGIN` nor in `ALLOWED_HOSTS`'
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Another request had this Idempotency-Key',
    detail: 'This request has the number of an earlier one that asked for something else.',
    hint: 'Send a new `Idempotency-Key` with each new request; repeat it with the same request only'
  },
  'rate-limited': {
    status: 429,
    title: 'Too many attempts',
    detail: 'There were too many attempts. Wait a while, then try again.',
    hint: 'The `Retry-After` header has the number of seconds, which `detail` names as well'
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    detail: 'The browser sent too many cookies. Delete those of this site and try again.',
    hint: 'Send fewer or shorter headers'
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
      'The portal failed unexpectedly. Try again later. If it keeps failing, tell an ' +
      'administrator what you did and when.',
    hint:
      'Show the request id in `instance` beside it: it leads to the entry in the log, and to ' +
      'the activity records of the request'
  },
  'database-unavailable': {
    status: 503,
    title: 'The database does not answer',
    detail:
      'The portal cannot reach its database. Confirmed changes are safe. Try again in a moment.'
  },
  overloaded: {
    status: 503,
    title: 'Too busy',
    detail: 'The portal is too busy right now. Try again in a moment.'
  }
} as const satisfies Record<string, ProblemType>
