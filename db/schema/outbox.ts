import { eq, ne, sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasForm, instant, isOneOf } from './columns.ts'

/**
 * dead: refused for good. dropped: expired, or without a recipient. caught: kept and not sent, in
 * development.
 */
export const outboxStates = ['pending', 'sent', 'dead', 'dropped', 'caught'] as const
export const outboxSorts = ['createdAt'] as const
export const errorClassForm = /^[a-z0-9 -]{1,40}$/
export const mailKinds = [
  'confirm',
  'already-registered',
  'address-kept',
  'invitation',
  'scope-invitation',
  'recovery',
  'email-verify',
  'email-change',
  'email-changed',
  'password-changed',
  'new-device',
  'account-deleted',
  'deletion-planned',
  'deletion-cancelled',
  'export-made',
  'factor-enrolment',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-guessed',
  'second-factor-required',
  'recovery-codes-renewed',
  'sign-in-unfinished',
  'passkey-added',
  'passkey-removed',
  'passkey-copied',
  'recovery-code-used',
  'key-created',
  'key-expiring',
  'provider-linked',
  'provider-unlinked'
] as const

/** Mail that is to be sent, each written in the transaction of the change that it reports. */
export const outbox = pgTable(
  'outbox',
  {
    /**
     * UUIDv7: the order of ids is the order of creation. Also the Message-ID, so that a second
     * delivery can be recognized.
     */
    id: uuid('id').primaryKey(),
    /** No CHECK, because an older instance leaves the kinds of a newer one alone. */
    kind: text('kind', { enum: mailKinds }).notNull(),
    /** No foreign key: a notice that an account was deleted outlives the account. */
    userId: uuid('user_id'),
    /** Sealed. Addresses and tokens are in it and nowhere else. */
    payload: bytea('payload'),
    /** The masked address; null until the worker has decided on one. */
    recipient: text('recipient'),
    state: text('state', { enum: outboxStates }).notNull().default('pending'),
    /** Deliveries begun, except those in which the mail server was not reached. */
    attempts: smallint('attempts').notNull().default(0),
    /** When the next delivery is due; while one is under way, when its lease ends. */
    nextAt: instant('next_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /**
     * The lease of the worker that delivers the mail. A lease that is still set when the mail is
     * due was left by a worker that died.
     */
    lease: uuid('lease'),
    /** A class such as "smtp 451", never the text of a server: that may hold an address. */
    lastError: text('last_error'),
    /** The reply of the server, without the addresses, links and secrets that it may repeat. */
    lastReply: text('last_reply'),
    createdAt: createdAt(),
    doneAt: instant('done_at')
  },
  (table) => [
    index('outbox_due')
      .on(table.nextAt)
      .where(eq(table.state, sql`'pending'`)),
    index('outbox_done')
      .on(table.doneAt)
      .where(ne(table.state, sql`'pending'`)),
    // For lists: dead mail must be found among millions of sent mails.
    index('outbox_listed').on(table.state, table.id),
    index('outbox_user').on(table.userId, table.createdAt),
    check('outbox_state', isOneOf(table.state, outboxStates)),
    check('outbox_last_error', hasForm(table.lastError, errorClassForm)),
    // Sent and dropped rows keep no address and no token. Dead ones can be tried again, caught ones
    // read.
    check(
      'outbox_payload',
      sql`(${table.payload} is null) = (${table.state} in ('sent', 'dropped'))`
    ),
    check('outbox_done_at', sql`(${table.doneAt} is null) = (${table.state} = 'pending')`)
  ]
)

export type OutboxRow = typeof outbox.$inferSelect

/** Mails that ask to confirm an address, once they were handed over: what share was confirmed. */
export const confirmationMails = pgTable(
  'confirmation_mails',
  {
    /** The id of the mail in the outbox, and of the registration if there is one. */
    id: uuid('id').primaryKey(),
    sentAt: instant('sent_at').notNull().defaultNow(),
    confirmedAt: instant('confirmed_at')
  },
  (table) => [index('confirmation_mails_sent').on(table.sentAt)]
)
