import { DomainError } from '../domain-error.ts'
import { findRequired } from './provider.ts'
import type { Provider } from './provider.ts'
import type { ProviderReason } from '../../problems/provider-reasons.ts'

export const providerRefused = (reason: ProviderReason, status?: number) =>
  new DomainError('provider-refused', { details: { reason }, ...(status && { status }) })
export const flowExpired = () => new DomainError('flow-expired')
export const providerEmailMissing = () => new DomainError('provider-email-missing')
export const signInRefused = () => new DomainError('sign-in-refused')
export const unknownProvider = () => new DomainError('unknown-provider')
export const providerAccountNotFound = () => new DomainError('provider-account-not-found')
export const accountExists = () => new DomainError('account-exists')
export const providerAccountTaken = () => new DomainError('provider-account-taken')
export const tooManyProviders = () => new DomainError('too-many-providers')
export const lastSignInMethod = () => new DomainError('last-sign-in-method')
export const managedByProvider = () => new DomainError('managed-by-provider')
export const providerUnavailable = (reason: ProviderReason, issuer?: string) =>
  new DomainError('provider-unavailable', { retryAfter: 10, details: { reason, issuer } })
export const providerRequired = (userId?: string) =>
  new DomainError('provider-required', { details: { userId } })

/**
 * Refuses a way in for an address of a domain whose users sign in with a provider only. Before any
 * look-up and any hash, so that all addresses of the domain get the same response. Throws
 * `provider-required`.
 */
export function refuseManaged(providers: readonly Provider[], emailNormalized: string | undefined) {
  if (emailNormalized !== undefined && findRequired(providers, emailNormalized)) {
    throw providerRequired()
  }
}
