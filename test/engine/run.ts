import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { version } from '../../src/version.ts'
import { filesOf } from '../support/sources.ts'
import { migrateNew } from './migration.ts'
import { plans } from './plans.ts'
import { reportOf } from './report.ts'
import type { Part } from './report.ts'
import { openServer, Unusable } from './server.ts'
import { runTests } from './tests.ts'

// `npm run check -- engine postgres://…`: does the portal work with this PostgreSQL, or with a
// database that speaks its protocol? Progress goes to stderr, a report for an issue to stdout.

const usage = `Usage: npm run -s check -- engine [options] postgres://USER:PASSWORD@HOST/DATABASE > report.md

DATABASE must be empty, such as postgres. The check creates databases of its own and drops them, so
the role needs CREATEDB. Use a server that nobody else needs meanwhile. A superuser is best: some
tests create roles, or end connections of others.

  --rounds N   changes that another server must see at once (default: 10000)
  --races N    rounds of each race (default: 10)
  --jobs N     test files at a time, with up to 20 connections each (default: 2)
  --only LIST  of migrations, suite, races, freshness and plans (default: all)
`

const names = ['migrations', 'suite', 'races', 'freshness', 'plans'] as const
/** The contract suite: everything that uses the database through the domain or the routes. */
const suite = ['test/db', 'test/domain', 'test/routes', 'test/plugins', 'test/security']
  .flatMap(filesOf)
  .filter((file) => file.endsWith('.test.ts'))
  .concat('test/domain/keyset.slow.ts')
const races = ['test/security/isolation.slow.ts', 'test/security/races.slow.ts']

async function main() {
  const { url, rounds, races: raceRounds, jobs, only } = options()
  const server = await openServer(url)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-engine-'))
  const statements = path.join(folder, 'statements.jsonl')
  const test = (files: string[], more: Record<string, string> = {}) =>
    runTests(server, files, jobs, { ...more, TEST_STATEMENTS_FILE: statements })
  const work: Record<(typeof names)[number], () => Promise<Omit<Part, 'name' | 'seconds'>>> = {
    migrations: () => migrateNew(server),
    suite: () => test(suite.filter((file) => !races.includes(file))),
    races: () => test(races, { ISOLATION_ROUNDS: raceRounds }),
    freshness: () => test(['test/security/two-servers.slow.ts'], { FRESHNESS_ROUNDS: rounds }),
    plans: () => plans(server, statements)
  }
  const clean = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      clean().finally(() => process.exit(1))
    })
  }
  const parts: Part[] = []
  try {
    for (const name of names.filter((each) => only.includes(each))) {
      process.stderr.write(`\n${name}\n`)
      const begun = performance.now()
      const result = await work[name]().catch((error: unknown) => ({
        passed: false,
        summary: 'did not end',
        errors: [inspect(error)]
      }))
      parts.push({ name, ...result, seconds: (performance.now() - begun) / 1000 })
      process.stderr.write(`${name}: ${result.passed ? 'passed' : 'FAILED'}, ${result.summary}\n`)
    }
  } finally {
    await clean()
  }
  process.stdout.write(server.redact(reportOf(version, server.facts, parts)))
  if (parts.some(({ passed }) => !passed)) process.exitCode = 1
}

function options() {
  const { values, positionals } = parse()
  const [url, ...more] = positionals
  if (url === undefined || more.length > 0) throw new Unusable(usage)
  for (const name of ['rounds', 'races', 'jobs'] as const) {
    if (!/^[1-9]\d{0,6}$/.test(values[name])) {
      throw new Unusable(`--${name} must be a whole number, at least 1.`)
    }
  }
  const only = values.only.split(',')
  const unknown = only.find((name) => !names.some((each) => each === name))
  if (unknown !== undefined) throw new Unusable(`There is no part ${unknown}.\n\n${usage}`)
  return { ...values, url, only }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '10000' },
        races: { type: 'string', default: '10' },
        jobs: { type: 'string', default: '2' },
        only: { type: 'string', default: names.join() }
      }
    })
  } catch (error) {
    throw new Unusable(`${(error as Error).message}\n\n${usage}`)
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof Unusable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
})
