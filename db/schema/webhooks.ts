import { eq, ne, sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, hasForm, instant, isAtMost, isOneOf } from './columns.ts'

export const endpointStates = ['active', 'paused'] as const
export const endpointSorts = ['createdAt'] as const
export const endpointUrlLength = { max: 2000 } as const
/** An action, or the beginning of some: `user.create`, `user.*`, `*`. */
export const eventPatternForm = /^(\*|[a-z0-9-]+(\.[a-z0-9-]+)*(\.\*)?)$/
/** Endpoints of the whole portal. */
export const mostEndpoints = 50
/** Patterns of one endpoint. */
export const mostPatterns = 50

/** Where events are sent, which are records of the audit trail. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey(),
    /** Null for the functions of the app, which run in the process. There is one such row. */
    url: text('url'),
    /** The patterns of the actions that are sent. */
    events: jsonb('events').$type<string[]>().notNull(),
    /** Sealed; null without a URL. */
    secret: bytea('secret'),
    /** The secret of before, sealed: both sign until then. */
    formerSecret: bytea('former_secret'),
    formerUntil: instant('former_until'),
    state: text('state', { enum: endpointStates }).notNull().default('active'),
    /** Since when every delivery has failed. */
    failingSince: instant('failing_since'),
    /** Incremented by every change, for the ETag. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt()
  },
  (table) => [
    uniqueIndex('webhook_endpoints_app')
      .on(sql`(${table.url} is null)`)
      .where(sql`${table.url} is null`),
    check('webhook_endpoints_url', isAtMost(table.url, endpointUrlLength)),
    check('webhook_endpoints_state', isOneOf(table.state, endpointStates)),
    check('webhook_endpoints_secret', sql`(${table.secret} is null) = (${table.url} is null)`),
    check(
      'webhook_endpoints_former',
      sql`(${table.formerSecret} is null) = (${table.formerUntil} is null)`
    )
  ]
)

/** dead: given up. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export const deliverySorts = ['createdAt'] as const
export const deliveryErrorForm = /^[a-z0-9 -]{1,40}$/

/**
 * Events that are to be sent, each written in the transaction of its record. The contents are read
 * from the record when it is sent: no data of users is kept here.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    /** Also the `webhook-id`, so that a second delivery can be recognized. */
    id: uuid('id').primaryKey().defaultRandom(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** The record. `at` finds it in a partitioned table. */
    eventId: uuid('event_id').notNull(),
    eventAt: instant('event_at').notNull(),
    state: text('state', { enum: deliveryStates }).notNull().default('pending'),
    /** Deliveries begun. */
    attempts: smallint('attempts').notNull().default(0),
    /** When the next delivery is due; while one is under way, when its lease ends. */
    nextAt: instant('next_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** The lease of the worker that delivers it. */
    lease: uuid('lease'),
    /** The last status of HTTP. */
    lastStatus: smallint('last_status'),
    /** A class such as `timeout`, never the text of a server. */
    lastError: text('last_error'),
    createdAt: createdAt(),
    doneAt: instant('done_at')
  },
  (table) => [
    index('deliveries_due')
      .on(table.endpointId, table.nextAt)
      .where(eq(table.state, sql`'pending'`)),
    index('deliveries_done')
      .on(table.doneAt)
      .where(ne(table.state, sql`'pending'`)),
    index('deliveries_listed').on(table.endpointId, table.createdAt, table.id),
    check('deliveries_state', isOneOf(table.state, deliveryStates)),
    check('deliveries_last_error', hasForm(table.lastError, deliveryErrorForm)),
    check('deliveries_done_at', sql`(${table.doneAt} is null) = (${table.state} = 'pending')`)
  ]
)

export type EndpointRow = typeof webhookEndpoints.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect
