import type { ProviderKind } from '../../../db/schema/provider-accounts.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { DomainError } from '../errors.ts'
import type { ProviderProofs } from '../errors.ts'

/** A provider with which users sign in, as the configuration names it. */
export interface Provider {
  /** Part of addresses. */
  key: string
  kind: ProviderKind
  name: string
  /** The issuer in the discovery document. GitHub has none, so its accounts use a constant. */
  issuer: string
  clientId: string
  credential: { secret: string } | AppleKey
  /** The addresses of GitHub, which does not speak OpenID Connect. */
  endpoints?: { authorization: string; token: string; api: string }
  /** When the provider speaks for the mailbox of an address. Only kind `oidc` has a choice. */
  trustsEmail: 'domains' | 'claim' | 'never'
  /** Domains of e-mail addresses that the provider speaks for, normalized. */
  domains: readonly string[]
  /** Whether users with a confirmed address in `domains` can sign in in no other way. */
  required: boolean
  /** Whether everybody sees it. Otherwise it is found by the domain of an address. */
  listed: boolean
  /** Who gets an account. `registration`: as REGISTRATION says. */
  creates: 'registration' | 'always' | 'never'
  /** Values of claims that count as two factors. */
  assurance: { amr: readonly string[]; acr: readonly string[] }
  /** Roles by the values of a claim: only these are granted and revoked, at each sign-in. */
  roles?: { claim: string; map: Readonly<Record<string, string>> }
  /** Maximum lifetime of sessions that begin here. */
  sessionSeconds?: number
}

/** A private key of Apple, with which the portal signs its client secrets. */
export interface AppleKey {
  teamId: string
  keyId: string
  /** PKCS #8, in PEM. */
  privateKey: string
}

/** The public part of a provider. */
export const showProvider = ({ key, kind, name }: Provider) => ({ key, kind, name })

/** The domain of a normalized address. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)

/** The provider that speaks for the domain of an address. The configuration allows only one. */
export const findByDomain = (providers: readonly Provider[], emailNormalized: string) =>
  providers.find(({ domains }) => domains.includes(domainOf(emailNormalized)))

/** The provider with which users of this domain must sign in, if they must. */
export const findRequired = (providers: readonly Provider[] = [], emailNormalized: string) =>
  providers.find(({ required, domains }) => required && domains.includes(domainOf(emailNormalized)))

/** The provider with which a user must sign in, if they must: only a confirmed address counts. */
export const findRequiredOf = (
  providers: readonly Provider[] | undefined,
  { emailNormalized, emailVerifiedAt }: Pick<UserRow, 'emailNormalized' | 'emailVerifiedAt'>
) => (emailVerifiedAt ? findRequired(providers, emailNormalized) : undefined)

/** The name of a provider, or its key if it is no longer configured. */
export const nameOf = (providers: readonly Provider[], key: string) =>
  providers.find((each) => each.key === key)?.name ?? key

/** Adds the name of the provider to a provider account. */
export const withName =
  (providers: readonly Provider[]) =>
  <T extends { provider: string }>(account: T) => ({
    ...account,
    name: nameOf(providers, account.provider)
  })

/** Kinds that neither ask again nor say when the user authenticated. */
export const timeless: readonly ProviderKind[] = ['google', 'github']

/** The providers with which a user can authenticate again. */
export const provingProviders = (
  providers: readonly Provider[],
  { keys, needsTwo, isAlone }: ProviderProofs
) =>
  providers.filter(
    ({ key, kind, assurance }) =>
      keys.includes(key) &&
      (isAlone || !timeless.includes(kind)) &&
      (!needsTwo || assurance.amr.length + assurance.acr.length > 0)
  )

export const unknownProvider = () => new DomainError('unknown-provider')

/**
 * Refuses a way in for an address of a domain whose users sign in with a provider only. Before any
 * look-up and any hash, so that all addresses of the domain get the same response. Throws
 * `provider-required`.
 */
export function refuseManaged(providers: readonly Provider[], emailNormalized: string | undefined) {
  if (emailNormalized !== undefined && findRequired(providers, emailNormalized)) {
    throw new DomainError('provider-required')
  }
}
