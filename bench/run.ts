import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { results } from './figures.ts'
import type { Claim } from './figures.ts'
import { affinity } from './affinity.ts'
import { consoleOfOperator } from './console.ts'
import { bulkEvaluation } from './flags.ts'
import { flagPeers } from './flag-peers.ts'
import { keptPrincipals } from './kept-principals.ts'
import { keys } from './keys.ts'
import { pages } from './pages.ts'
import { publicReads } from './public-reads.ts'
import { logins } from './logins.ts'
import { nodes } from './nodes.ts'
import { revocations } from './revocations.ts'
import { scale } from './scale.ts'
import { scopes } from './scopes.ts'
import { services } from './services.ts'
import { sessionCheck } from './session-check.ts'

// Runs all parts or the named ones: `npm run bench -- logins scale`. BENCH_ROUNDS, BENCH_SECONDS
// and BENCH_MINUTES shorten them.

const parts = {
  'session-check': sessionCheck,
  services,
  keys,
  flags: bulkEvaluation,
  'flag-peers': flagPeers,
  pages,
  'public-reads': publicReads,
  console: consoleOfOperator,
  logins,
  revocations,
  'kept-principals': keptPrincipals,
  scopes,
  affinity,
  scale,
  nodes
}
const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}: choose from ${Object.keys(parts).join(', ')}.`
  )
  process.exit(2)
}
for (const [name, part] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) await part()
}

const measured = readdirSync(results)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(path.join(results, file), 'utf8')) as Part)
  .filter(({ claims }) => claims.length > 0) // the costs are for the model
writeFileSync(
  path.join(results, 'README.md'),
  `# What was measured

Written by \`npm run bench\` in \`bench/\`; the figures behind each line are in the files beside this one. [Where the time of a session check goes](../profile.md) says what is missed, and why.

${measured
  .map(
    ({
      at,
      machine,
      claims,
      table
    }) => `${at}, ${machine.processor ?? 'unknown processor'}, ${machine.cores} cores, Node ${machine.node}, ${machine.platform}

| what | required | measured | |
| --- | --- | --- | --- |
${claims.map(({ what, required, measured, holds }) => `| ${what} | ${required} | ${measured} | ${holds ? 'holds' : '**missed**'} |`).join('\n')}
${table ? `\n${markdown(table)}\n` : ''}`
  )
  .join('\n')}`
)
if (measured.some(({ claims }) => claims.some(({ holds }) => !holds))) process.exitCode = 1

function markdown(rows: Record<string, string | number>[]) {
  const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  const names = Object.keys(rows[0] ?? {})
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(Object.values(row)))
  ].join('\n')
}

interface Part {
  at: string
  machine: { processor?: string; cores: number; node: string; platform: string }
  claims: Claim[]
  /** Printed below the claims. */
  table?: Record<string, string | number>[]
}
