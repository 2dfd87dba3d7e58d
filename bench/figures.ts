import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A requirement of a part and the measured figure. */
export interface Claim {
  what: string
  required: string
  measured: string
  holds: boolean
}

/**
 * MB: after the start, and with as many principals as an instance keeps. The executable of Node 26
 * alone takes 11 MB more than that of 20.
 */
export const memoryLimits = { started: 140, kept: 260 }
export const principals = 50_000

export const results = path.join(import.meta.dirname, 'results')

/** Stores the figures with a description of the machine. */
export function save(part: string, claims: Claim[], figures: object) {
  mkdirSync(results, { recursive: true })
  const machine = {
    processor: os.cpus()[0]?.model,
    cores: os.availableParallelism(),
    node: process.version,
    platform: `${os.platform()} ${os.arch()}`
  }
  writeFileSync(
    path.join(results, `${part}.json`),
    JSON.stringify(
      { at: new Date().toISOString().slice(0, 10), machine, claims, ...figures },
      null,
      2
    ) + '\n'
  )
  if (claims.length > 0) {
    console.table(Object.fromEntries(claims.map(({ what, ...rest }) => [what, rest])))
  }
}

export const atLeast = (what: string, measured: number, least: number): Claim => ({
  what,
  required: `at least ${least}`,
  measured: String(round(measured)),
  holds: measured >= least
})
export const atMost = (what: string, measured: number, most: number): Claim => ({
  what,
  required: `at most ${most}`,
  measured: String(round(measured)),
  holds: measured <= most
})
/** A figure that depends on the machine too much for a limit. */
export const published = (what: string, measured: number): Claim => ({
  what,
  required: 'no limit',
  measured: String(round(measured)),
  holds: true
})
export const below = (what: string, measured: number, limit: number, unit: string): Claim => ({
  what,
  required: `below ${limit} ${unit}`,
  measured: `${round(measured)} ${unit}`,
  holds: measured < limit
})

export function quantile(all: number[], share: number) {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN
}

export function median(all: number[]) {
  const sorted = all.toSorted((a, b) => a - b)
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN) +
      (sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN)) /
    2
  )
}

export const round = (value: number) => Number(value.toPrecision(3))
