import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { results } from './figures.ts'
import type { Part } from './figures.ts'
import { affinity } from './affinity.ts'
import { consoleOfOperator } from './console.ts'
import { bulkEvaluation } from './flags.ts'
import { flagPeers } from './flag-peers.ts'
import { grows } from './grows.ts'
import { keptPrincipals } from './kept-principals.ts'
import { keys } from './keys.ts'
import { pages } from './pages.ts'
import { publicReads } from './public-reads.ts'
import { logins } from './logins.ts'
import { nodes } from './nodes.ts'
import { pageOf } from './page.ts'
import { revocations } from './revocations.ts'
import { scale } from './scale.ts'
import { scopes } from './scopes.ts'
import { services } from './services.ts'
import { sessionCheck } from './session-check.ts'
import { writers } from './writers.ts'

// Runs all parts or the named ones: `npm run bench -- logins scale`. BENCH_ROUNDS, BENCH_SECONDS,
// BENCH_MINUTES and BENCH_ACCOUNTS shorten them, and BENCH_USERS=10000,1000000,10000000 takes more
// users.

const parts = {
  'session-check': sessionCheck,
  services,
  keys,
  flags: bulkEvaluation,
  'flag-peers': flagPeers,
  pages,
  'public-reads': publicReads,
  console: consoleOfOperator,
  writers,
  logins,
  revocations,
  'kept-principals': keptPrincipals,
  scopes,
  affinity,
  scale,
  nodes,
  growth: grows,
  /** Measures nothing: the page is written again. */
  page: async () => {}
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
  if (named.length > 0 && !named.includes(name)) continue
  try {
    await part()
  } catch (error) {
    // The others are measured all the same. The page has the figures of an earlier run.
    console.error(`${name} failed:`, error)
    process.exitCode = 1
  }
}

const measured = Object.fromEntries(
  readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const part = JSON.parse(readFileSync(path.join(results, file), 'utf8')) as Part
      return [path.basename(file, '.json'), part]
    })
)
writeFileSync(path.join(results, 'README.md'), pageOf(measured))
const claims = Object.values(measured).flatMap((part) => part.claims)
if (claims.some(({ holds }) => !holds)) process.exitCode = 1
