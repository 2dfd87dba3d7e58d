import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { createService } from '../../src/domain/services/services.ts'
import { enqueueMail } from '../domain/outbox/parts.ts'
import { actorOf } from '../support/actors.ts'
import { aUser, operator, testDatabaseUrl } from '../support/app.ts'
import { startChromium } from './chromium.ts'

export const hostile = '<img src=x onerror=alert(1)>\'"&lt; javascript:alert(1)'

/** A database with hostile texts in everything that a view shows. */
export async function hostileDatabase(t: Pick<Test, 'teardown'>) {
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(url)
  const { db } = database
  const eve = await aUser(database, 'eve@example.com')
  await db.update(users).set({ name: hostile }).where(eq(users.id, eve.id))
  const session = await actorOf(database, eve)
  await db.update(sessions).set({ userAgent: hostile }).where(eq(sessions.id, session.sessionId))
  await createPermission(db, operator, { key: 'invoices:read', description: hostile })
  await createRole(db, operator, {
    key: 'accountant',
    name: hostile.slice(0, 60),
    description: hostile,
    requiresSecondFactor: true,
    permissions: ['invoices:read']
  })
  await grantRole(db, operator, { userId: eve.id, role: 'accountant' })
  await createFlag(db, operator, {
    key: 'new-checkout',
    type: 'string',
    description: hostile,
    variants: { on: hostile, off: 'off' },
    defaultVariant: 'on',
    offVariant: 'off',
    rules: [{ when: { rolesAny: ['accountant'] }, serve: { variant: 'on' } }]
  })
  await db.insert(providerAccounts).values({
    id: randomUUID(),
    userId: eve.id,
    provider: 'acme',
    issuer: 'https://acme.example.com',
    subject: hostile,
    email: hostile,
    createdAt: new Date()
  })
  await createService(
    db,
    { ...operator, label: hostile },
    { key: 'nightly-export', name: hostile, description: hostile }
  )
  await enqueueMail(db, { userId: eve.id })
  await database.close()
  return { url, eve }
}

/** A browser that opens consoles by their links. */
export async function startVisits(t: Pick<Test, 'teardown'>) {
  const { open } = await startChromium(t)
  return {
    open,
    async visit(t: Pick<Test, 'fail'>, link: string) {
      const page = await open(link, (problem) => t.fail(problem))
      await page.locator('.where').waitFor()
      return page
    }
  }
}
