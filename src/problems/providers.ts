import type { ProblemType } from './problem-type.ts'

/**
 * Codes that no problem document has: they are in the address to which `finishProviderFlow` leads.
 */
export const flowProblems = [
  'account-exists',
  'flow-expired',
  'provider-account-taken',
  'provider-email-missing',
  'sign-in-refused',
  'too-many-providers'
] as const

/** Problems of signing in with other providers. */
export const providers = {
  'provider-refused': {
    status: 401,
    title: 'The provider did not sign you in',
    detail:
      'The sign-in at the provider was cancelled, or its response could not be verified. Try ' +
      'again, or sign in another way.'
  },
  'flow-expired': {
    status: 401,
    title: 'The sign-in took too long',
    detail:
      'The sign-in took longer than ten minutes, was already completed, or began in another ' +
      'browser. Start again.'
  },
  'provider-email-missing': {
    status: 403,
    title: 'The provider sent no e-mail address',
    detail:
      'The provider did not send an e-mail address that it has confirmed, and a new account ' +
      'needs one. Confirm your address at the provider, or register here and link the account.'
  },
  'sign-in-refused': {
    status: 403,
    title: 'You cannot sign in with this account',
    detail: 'You cannot sign in with this account. Ask an administrator.'
  },
  'provider-required': {
    status: 403,
    title: 'Sign in with your organization',
    detail:
      'Your organization manages addresses of this domain. Sign in with its provider instead.',
    hint: '`POST /api/auth/providers/find` returns the provider for an address'
  },
  'unknown-provider': {
    status: 404,
    title: 'No such provider',
    detail: 'You cannot sign in with this provider here. Sign in another way.',
    hint: '`GET /api/auth/options` lists the providers'
  },
  'provider-account-not-found': {
    status: 404,
    title: 'No such linked account',
    detail: 'This account at a provider is not linked. It may have been unlinked already.'
  },
  'account-exists': {
    status: 409,
    title: 'There is an account with this address already',
    detail:
      'An account with this e-mail address already exists. Sign in to it another way and link ' +
      'the provider, or choose a new password by mail.'
  },
  'provider-account-taken': {
    status: 409,
    title: 'The account is linked to another user',
    detail:
      'This account at the provider belongs to another user here. Unlink it there first, or use ' +
      'another one.'
  },
  'too-many-providers': {
    status: 409,
    title: 'There are too many linked accounts',
    detail: 'You cannot link another account: ten are linked already. Unlink one first.'
  },
  'last-sign-in-method': {
    status: 409,
    title: 'This is your only way to sign in',
    detail:
      'This is the only way to sign in to your account. Set a password or add a passkey first.'
  },
  'managed-by-provider': {
    status: 409,
    title: 'Your organization manages this address',
    detail:
      'Your organization manages addresses of this domain, so this cannot be changed here. Ask ' +
      'the administrators of your organization.'
  },
  'provider-unavailable': {
    status: 503,
    title: 'The provider does not answer',
    detail: 'The provider does not answer. Try again in a moment, or sign in another way.'
  }
} as const satisfies Record<string, ProblemType>
