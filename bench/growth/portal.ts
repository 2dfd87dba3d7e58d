import { randomBytes, randomInt } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../db/client.ts'
import { budgetsOf, defaultBudgets, parseBudgets } from '../../src/config/budgets.ts'
import type { Services } from '../../src/domain/accounts/services.ts'
import type { Actor } from '../../src/domain/activity/record.ts'
import { createBulkhead } from '../../src/domain/passwords/bulkhead.ts'
import { createPasswords } from '../../src/domain/passwords/passwords.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { createBuckets } from '../../src/domain/throttling/buckets.ts'
import { createDeviceTokens } from '../../src/domain/throttling/devices.ts'
import { createGate } from '../../src/domain/throttling/gate.ts'

export const rules = { idleSeconds: 86_400, absoluteSeconds: 604_800, maxPerUser: 20 }

/** The services of a server, without its background work. Hashing is fast: it is measured apart. */
export const servicesOf = ({ db }: Database): Services => ({
  db,
  passwords: createPasswords({
    minLength: 8,
    cost: 4,
    bulkhead: createBulkhead({ running: 2, waiting: 100, patience: 60_000 })
  }),
  sessionRules: rules,
  registration: 'open',
  mail: undefined,
  passkeys: undefined,
  buckets: createBuckets(randomBytes(32), budgetsOf(parseBudgets(defaultBudgets(true)))),
  gate: createGate(50),
  devices: createDeviceTokens([randomBytes(32)]),
  sealing: createSealing([{ kid: 'bench', secret: randomBytes(32) }])
})

/** A request from an address of its own. */
export const request = (): Actor => ({
  type: 'anonymous',
  source: 'api',
  ip: `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  requestId: uuid()
})

/** Takes each row once, so that no event finds what another one has just used. */
export function taker<T>(rows: readonly T[]) {
  let taken = 0
  return (count: number) => {
    const some = rows.slice(taken, taken + count)
    if (some.length < count) throw new Error('the database is too small for so many repetitions')
    taken += count
    return some
  }
}

export const times = (count: number) => Array.from({ length: count }, (_, n) => n)
