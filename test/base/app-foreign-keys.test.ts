// Also on PGlite.

import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aUser } from '../support/app.ts'
import { aPlace, migrationsIn, orders, outcomeOf } from './own-migrations.ts'

const reference = (target: string, action: string, column = '"user_id" uuid') =>
  `CREATE TABLE "app"."other" ("id" uuid PRIMARY KEY, ${column} REFERENCES ${target} ON DELETE ${action});`
const toOrder = (action: string, column = '"order_id" uuid') =>
  reference('"app"."orders"("id")', action, column)

t.test('foreign keys of an app that keep users from being deleted are refused', async (t) => {
  const { migrate } = await aPlace(t)
  const results: string[] = []
  for (const [statement, refusal] of [
    [
      reference('"users"("id")', 'no action'),
      /other_user_id_fkey of app\.other, which keeps users/
    ],
    [reference('"users"("id")', 'restrict'), /keeps users from being deleted/],
    [reference('"users"("id")', 'set default'), /keeps users from being deleted/],
    [reference('"users"("id")', 'set null', '"user_id" uuid NOT NULL'), /keeps users/],
    [toOrder('no action'), /other_order_id_fkey of app\.other, which keeps users/],
    [toOrder('set null', '"order_id" uuid NOT NULL'), /keeps users/],
    [reference('"users"("email_normalized")', 'cascade', '"email" text'), /refers to users\./],
    [reference('"sessions"("id")', 'cascade'), /which refers to sessions\./]
  ] as const) {
    const folder = migrationsIn(t, { '0000_orders': orders, '0001_other': statement })
    const outcome = await outcomeOf(migrate(folder), folder)
    if (!/^AppError 0001_other\.sql has the foreign key /.test(outcome) || !refusal.test(outcome)) {
      results.push(`${statement} ${outcome}`)
    }
  }
  t.same(results, [])
})

t.test('foreign keys that follow the deletion of a user are applied, and do', async (t) => {
  const { migrate, portal } = await aPlace(t)
  await migrate(
    migrationsIn(t, {
      '0000_orders': orders,
      '0001_items': [
        'CREATE TABLE "app"."items" ("order_id" uuid REFERENCES "app"."orders"("id") ON DELETE cascade, "by" uuid REFERENCES "users"("id") ON DELETE set null);',
        'CREATE TABLE "app"."kinds" ("id" uuid PRIMARY KEY);',
        'CREATE TABLE "app"."prices" ("kind" uuid REFERENCES "app"."kinds"("id"));'
      ]
    })
  )
  const [owner, helper] = [await aUser(portal), await aUser(portal)]
  const [order, another] = [randomUUID(), randomUUID()]
  await portal.db.execute(
    sql`insert into app.orders values (${order}, ${owner.id}), (${another}, ${helper.id})`
  )
  await portal.db.execute(
    sql`insert into app.items values (${order}, ${helper.id}), (${another}, ${owner.id})`
  )
  await portal.db.delete(users).where(eq(users.id, owner.id))
  const items = await portal.db.select({ order: sql`order_id`, by: sql`"by"` }).from(sql`app.items`)
  t.same(items, [{ order: another, by: null }])
})
