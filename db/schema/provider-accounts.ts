import {
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { createdAt, hasForm, hasLength, instant, isAtMost, keyForm } from './columns.ts'
import { emailLength, ownerId } from './users.ts'

export const providerKinds = ['google', 'microsoft', 'apple', 'github', 'oidc'] as const
export type ProviderKind = (typeof providerKinds)[number]
/** The purposes of a way through a provider. */
export const intents = ['sign-in', 'link', 'reauthenticate', 'confirm'] as const
export type Intent = (typeof intents)[number]
/** Maximum length of a target, so that the cookie of a way stays below 1,500 characters. */
export const targetLength = 300

/** The key of a provider in the configuration. It is part of addresses. */
export const providerKeyForm = keyForm
export const providerKeyLength = { min: 1, max: 32 } as const
export const issuerLength = { min: 1, max: 255 } as const
/** OpenID Connect Core 1.0, section 2. */
export const subjectLength = { min: 1, max: 255 } as const
export const mostProviderAccounts = 10

/**
 * Accounts at providers that users sign in with. Issuer and subject identify one, never its e-mail
 * address.
 */
export const providerAccounts = pgTable(
  'provider_accounts',
  {
    id: uuid('id').primaryKey(),
    userId: ownerId().notNull(),
    provider: text('provider').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The address that the provider last named, to recognize the account by. */
    email: text('email'),
    /**
     * Whether the provider spoke for the mailbox of that address. Both decide whether a session of
     * before the provider was required counts as one of its domains, and nothing else.
     */
    speaksForEmail: boolean('speaks_for_email').notNull().default(false),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    /** When the provider last said that its user signed out there, by the provider's clock. */
    loggedOutAt: instant('logged_out_at')
  },
  (table) => [
    uniqueIndex('provider_accounts_subject').on(table.issuer, table.subject),
    index('provider_accounts_user').on(table.userId, table.createdAt, table.id),
    check('provider_accounts_provider', hasForm(table.provider, providerKeyForm)),
    check('provider_accounts_issuer', hasLength(table.issuer, issuerLength)),
    check('provider_accounts_subject', hasLength(table.subject, subjectLength)),
    check('provider_accounts_email', isAtMost(table.email, emailLength))
  ]
)

/** Accounts that were unlinked from a user: an address alone does not link them again. */
export const unlinkedAccounts = pgTable(
  'unlinked_accounts',
  {
    userId: ownerId().notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull()
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.issuer, table.subject] }),
    check('unlinked_accounts_issuer', hasLength(table.issuer, issuerLength)),
    check('unlinked_accounts_subject', hasLength(table.subject, subjectLength))
  ]
)
