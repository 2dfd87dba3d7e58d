import { randomInt } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Actor } from '../../src/domain/actor.ts'

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
