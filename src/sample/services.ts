import { eq } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { apiKeys } from '../../db/schema/api-keys.ts'
import { roles } from '../../db/schema/roles.ts'
import { serviceRoles, services } from '../../db/schema/services.ts'
import { newKey } from '../domain/keys/key-texts.ts'
import type { NewId } from './ids.ts'

const day = 86_400_000

interface SampleKey {
  name: string
  /** Days since it was created, for which it is valid, and since it was last used. */
  age: number
  days: number
  used: number
  permissions?: string[]
  networks?: string[]
}

interface SampleService {
  key: string
  name: string
  description: string
  status: 'active' | 'deactivated'
  role: string
  keys: SampleKey[]
}

const sampleServices: readonly SampleService[] = [
  {
    key: 'sample-nightly-report',
    name: 'Nightly report',
    description: 'Adds up the invoices of the day',
    status: 'active',
    role: 'sample-support',
    keys: [
      { name: 'Until the move', age: 95, days: 90, used: 6 },
      { name: 'On the report server', age: 12, days: 90, used: 0.2, networks: ['192.0.2.0/24'] }
    ]
  },
  {
    key: 'sample-site-search',
    name: 'Site search',
    description: 'Reads new articles every hour',
    status: 'active',
    role: 'sample-editor',
    keys: [
      { name: 'Index', age: 40, days: 365, used: 0.02, permissions: ['sample-articles:publish'] }
    ]
  },
  {
    key: 'sample-old-importer',
    name: 'Old importer',
    description: 'Brought over the accounts of last year',
    status: 'deactivated',
    role: 'sample-beta',
    keys: []
  }
]

/** Services, and keys that nobody has. */
export async function insertServices(tx: Db, newId: NewId, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * day)
  for (const { keys, role, ...service } of sampleServices) {
    const createdAt = before(100)
    const id = newId(createdAt)
    await tx.insert(services).values({ ...service, id, createdAt, updatedAt: createdAt })
    const [found] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.key, role))
    if (!found) throw new Error(`the sample has no role ${role}`)
    await tx.insert(serviceRoles).values({ serviceId: id, roleId: found.id, grantedAt: createdAt })
    for (const { age, days, used, ...rest } of keys) {
      const { hash, lastFour } = newKey()
      await tx.insert(apiKeys).values({
        ...rest,
        id: newId(before(age)),
        serviceId: id,
        hash,
        lastFour,
        assurance: 1,
        createdAt: before(age),
        expiresAt: before(age - days),
        lastUsedAt: before(used)
      })
    }
  }
}
