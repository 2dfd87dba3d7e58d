import * as bcrypt from '@node-rs/bcrypt'
import type { Database } from '../../db/client.ts'
import { createBulkhead } from '../../src/domain/bulkhead.ts'
import { compare, costOf } from '../../src/domain/passwords/comparison.js'
import { foreignWork, matchesForeign } from '../../src/domain/passwords/foreign-comparison.js'
import { createPasswords, findStoredWork } from '../../src/domain/passwords/passwords.ts'
import type { PasswordRules } from '../../src/domain/passwords/passwords.ts'
import { anonymous, servicesOf } from '../support/app.ts'
import { signIn } from '../support/sign-in.ts'

/** The configured cost of bcrypt. */
export const configured = 6

/** Logins in one process; each returns its response, bcrypt calls and turns in the bulkhead. */
export function countingLogins(database: Database, rules: Partial<PasswordRules>) {
  const calls: { kind: 'verify' | 'hash'; cost: number }[] = []
  let foreign: Record<string, number> = {}
  let isForeignFirst = false
  const count = (kind: string, amount: number) => {
    if (calls.length === 0) isForeignFirst = true
    foreign[kind] = (foreign[kind] ?? 0) + amount
  }
  let turns = 0
  const counting = {
    hashSync(text: string, cost: number) {
      calls.push({ kind: 'hash', cost })
      return bcrypt.hashSync(text, cost)
    },
    verifySync(text: string, hash: string) {
      calls.push({ kind: 'verify', cost: costOf(hash) })
      return bcrypt.verifySync(text, hash)
    },
    async matchesForeign(text: string, hash: string) {
      const { kind = '', amount = 0 } = foreignWork(hash) ?? {}
      count(kind, amount)
      return matchesForeign(text, hash)
    },
    async doForeignWork(kind: string, amount: number) {
      count(kind, amount)
    }
  }
  const { run, ...bulkhead } = createBulkhead({ running: 1, waiting: 16, maxWait: 60_000 })
  const passwords = createPasswords({
    minLength: 8,
    cost: configured,
    bulkhead: {
      ...bulkhead,
      run: (work, first) => {
        turns++
        return run(work, first)
      }
    },
    hashing: {
      async hash(text, cost) {
        return counting.hashSync(text, cost)
      },
      verify: (text, hash, work) => compare({ password: text, hash, work }, counting)
    },
    storedWork: () => findStoredWork(database.db),
    ...rules
  })
  const services = { ...servicesOf(database), passwords }
  return async (email: string, secret: string) => {
    calls.length = turns = 0
    foreign = {}
    isForeignFirst = false
    const answer = await signIn(services, anonymous, {
      email,
      password: secret,
      presented: []
    }).then(
      () => 'signed in',
      ({ code }) => code as string
    )
    return {
      answer,
      calls: [...calls],
      turns,
      foreign,
      isForeignFirst,
      work: calls.reduce((sum, { cost }) => sum + 2 ** cost, 0)
    }
  }
}
