import type { Db } from '../../db/engine.ts'
import { createPermission } from '../domain/access/custom-permissions.ts'
import { createRole } from '../domain/access/roles.ts'
import { createServiceKey } from '../domain/services/key-creation.ts'
import { createService, grantServiceRole, updateService } from '../domain/services/services.ts'
import type { OperatorAt } from './history.ts'

// The keys of the sample begin with its name, so that they collide with no others.

const permissions = {
  'sample-invoices:read': 'View invoices',
  'sample-invoices:refund': 'Refund an invoice',
  'sample-articles:publish': 'Publish an article',
  'sample-tickets:reply': 'Reply to a ticket'
}
export const samplePermissions = Object.keys(permissions)

/** `every`: the role of each n-th person. */
export const sampleRoles = [
  {
    ...{ key: 'sample-support', name: 'Support', every: 5 },
    description: 'Replies to customers and finds their accounts',
    permissions: ['sample-tickets:reply', 'users:read', 'sessions:read']
  },
  {
    ...{ key: 'sample-billing', name: 'Billing', every: 8, requiresSecondFactor: true },
    description: 'Invoices and refunds, with a second factor only',
    permissions: ['sample-invoices:read', 'sample-invoices:refund']
  },
  {
    ...{ key: 'sample-editor', name: 'Editor', every: 6 },
    description: 'Writes and publishes',
    permissions: ['sample-articles:publish']
  },
  {
    ...{ key: 'sample-beta', name: 'Beta testers', every: 4 },
    description: 'Sees new features first, and may do nothing else',
    permissions: []
  }
]

/** The keys of services have an age in days, and days for which they are valid. */
export const sampleServices = [
  {
    ...{ key: 'sample-nightly-report', name: 'Nightly report', role: 'sample-support' },
    description: 'Adds up the invoices of the day',
    keys: [
      { name: 'Until the move', age: 95, days: 90 },
      { name: 'On the report server', age: 12, days: 90, networks: ['192.0.2.0/24'] }
    ]
  },
  {
    ...{ key: 'sample-site-search', name: 'Site search', role: 'sample-editor' },
    description: 'Reads new articles every hour',
    keys: [{ name: 'Index', age: 40, days: 365, permissions: ['sample-articles:publish'] }]
  },
  {
    ...{ key: 'sample-old-importer', name: 'Old importer', role: 'sample-beta', keys: [] },
    description: 'Brought over the accounts of last year'
  }
]

/** @param operatorAt an operator who acts this many days ago */
export async function createAccess(tx: Db, operatorAt: OperatorAt) {
  for (const [key, description] of Object.entries(permissions)) {
    await createPermission(tx, operatorAt(100), { key, description })
  }
  for (const { every, ...role } of sampleRoles) await createRole(tx, operatorAt(100), role)
  for (const { key, name, description, role, keys } of sampleServices) {
    await createService(tx, operatorAt(100), { key, name, description })
    await grantServiceRole(tx, operatorAt(100), { service: key, role })
    for (const { age, ...given } of keys) {
      await createServiceKey(tx, operatorAt(age), { service: key, ...given })
    }
  }
  const changes = { status: 'deactivated' } as const
  await updateService(tx, operatorAt(8), { key: 'sample-old-importer', changes })
}
