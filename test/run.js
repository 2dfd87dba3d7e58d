import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compile, folders } from '../bin/compile.js'
import { children, runFiles } from './runner/processes.js'

// npm test: compiles changed files and runs the test files, several in one process.
//   node test/run.js                       all *.test.ts
//   node test/run.js test/domain/users/emails.test.ts   this one, or all in a folder
//   --suffix .slow.ts   all files of this name instead of .test.ts
//   --jobs 1            number of processes at a time
//   --alone             each file in a separate process
//   --timeout 600       seconds until a file counts as hanging
//   --watch             repeat after each change
//   --coverage          report covered lines
//   --pglite            on PGlite instead of PostgreSQL

const root = path.join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suffix: { type: 'string', default: '.test.ts' },
    // One waits while the others compute. Each further process costs five seconds of processor time.
    jobs: { type: 'string', default: String(os.availableParallelism() + 1) },
    alone: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '600' },
    watch: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    pglite: { type: 'boolean', default: false }
  }
})
const missing = positionals.find((each) => !existsSync(each))
if (missing !== undefined) {
  console.error(
    `There is no file or folder ${missing}. Name tests by their path, such as test/routes.`
  )
  process.exit(2)
}
const coverage = path.join(root, '.build/coverage')
const durationsFile = path.join(root, '.build/durations.json')
const durations = existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {}
const jobs = Number(values.jobs)
if (values.pglite) process.env.TEST_DATABASE_URL = 'pglite:memory'
const onPglite = process.env.TEST_DATABASE_URL === 'pglite:memory'
const nodeOptions = [
  // A file leaves little behind: fewer collections of garbage.
  '--max-semi-space-size=64',
  '--min-semi-space-size=64',
  // Compiling WebAssembly well takes longer than PGlite runs.
  '--liftoff-only'
]

await compile()
if (values.coverage) rmSync(coverage, { recursive: true, force: true })
process.env.PORTAL_TEST_RUNNER = String(process.pid) // names the folder of this run's database
const { cleanOldRuns } = await import('../.build/test/support/postgres.js')
const { stopTestServer } = await import('../.build/test/support/test-server.js')
await cleanOldRuns()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    for (const child of children) child.kill('SIGKILL')
    await stopTestServer()
    process.exit(1)
  })
}

let begun = 0 // the start of this process
do {
  const files =
    positionals.length > 0 ? inOrder(positionals.flatMap((each) => filesOf(each))) : allFiles()
  report(await runAll(files), performance.now() - begun)
} while (values.watch && (await changed()))
// At once, because another run may be reading it.
const written = `${durationsFile}.${process.pid}`
writeFileSync(written, JSON.stringify(durations))
renameSync(written, durationsFile)
await stopTestServer()
if (values.coverage) showCoverage()

function allFiles() {
  if (onPglite && values.suffix === '.test.ts') {
    return inOrder(filesOf('test', '.ts').filter(isForPglite))
  }
  return inOrder(['test', 'src/pages/test'].flatMap((folder) => filesOf(folder)))
}

/**
 * Tests of the database and the domain run on PGlite, unless their first line says why not; others
 * if theirs says so.
 */
function isForPglite(file) {
  const [says] =
    /^\/\/ (?:Also|Not) on PGlite/.exec(readFileSync(path.join(root, file), 'utf8')) ?? []
  return says ? says.includes('Also') : /^test\/(?:db|domain)\/.*\.test\.ts$/.test(file)
}

/** The longest first, so that none runs at the end. */
function inOrder(files) {
  return files.sort((one, other) => durationOf(other) - durationOf(one))
}

/** A file, or all test files in a folder, named from the checkout. */
function filesOf(argument, suffix = values.suffix) {
  const where = path.resolve(argument)
  if (!statSync(where).isDirectory()) return [path.relative(root, where)]
  return readdirSync(where, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => path.relative(root, path.join(where, file)))
}

/** Seconds of the last run, or what the file says, or an estimate from its size. */
function durationOf(file) {
  if (file in durations) return durations[file]
  const text = readFileSync(path.join(root, file), 'utf8')
  const [, said] = /^\/\/ Takes about (\d+) s/m.exec(text) ?? []
  return said ? Number(said) : text.length / (file.endsWith('.slow.ts') ? 200 : 1000)
}

async function runAll(files) {
  const waiting = [...files]
  const results = []
  const onResult = (result) => {
    durations[result.name] = result.seconds
    print(result)
    if (!result.end && positionals.length > 0) process.stdout.write(notes(result.output))
    results.push(result)
  }
  const options = {
    nodeOptions,
    env: values.coverage ? { NODE_V8_COVERAGE: coverage } : {},
    timeout: Number(values.timeout),
    onResult
  }
  await Promise.all(
    Array.from({ length: Math.min(jobs, files.length) }, async () => {
      // Once, unless each file has a process of its own, or a process has ended early.
      while (waiting.length > 0) {
        const queue = values.alone ? waiting.splice(0, 1) : waiting
        const left = queue.length
        await runFiles(() => queue.shift(), options)
        // Another process would take no file either.
        if (queue.length === left) return
      }
    })
  )
  return results
}

function print({ name, end, assertions, seconds }) {
  const columns = [
    end ? 'FAILED' : 'ok    ',
    seconds.toFixed(1).padStart(5),
    's',
    String(assertions).padStart(5)
  ]
  console.log(`${columns.join(' ')}  ${name}`)
}

function report(results, ms) {
  const failed = results.filter(({ end }) => end)
  for (const { name, output, end } of failed) {
    console.log(`\n──── ${name} (${end})\n${notes(output).replace(/^ *ok \d+ .*\n/gm, '')}`)
  }
  for (const { name, output } of results) {
    for (const [, warning] of output.matchAll(/^ *# (WARNING: .*)$/gm)) {
      console.log(`${warning} (${name})`)
    }
  }
  const sum = (name) => results.reduce((sum, result) => sum + result[name], 0)
  // A process that ends early fails, also if none of its tests did.
  const failures = Math.max(sum('failures'), failed.length)
  const tests = results.flatMap(({ name, tests }) => tests.map((test) => ({ name, ...test })))
  const slowest = tests.sort((one, other) => other.seconds - one.seconds).slice(0, 10)
  console.log('\nThe slowest tests:')
  for (const { name, title, seconds } of slowest) {
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}: ${title}`)
  }
  console.log(
    `\n${sum('passes')} tests passed, ${failures} failed ` +
      `(${results.length} files, ${sum('assertions')} assertions, ${(ms / 1000).toFixed(0)} s)`
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** The TAP output of a file without passed assertions. */
function notes(output) {
  return output
    .replace(
      /^ *(?:ok \d+ - (?!.*# (?:time|SKIP|TODO)).*|\d+\.\.\d+.*|# (?:Subtest|time=).*|TAP version 14|)\n/gm,
      ''
    )
    .replace(/^ {8}/gm, '')
}

/** Coverage of the product's sources, by way of source maps. */
function showCoverage() {
  const include = ['src', 'plugins', 'routes', 'db'].flatMap((folder) => [
    '--include',
    `${folder}/**`
  ])
  const args = [
    'report',
    '--temp-directory',
    coverage,
    '--merge-async',
    '--exclude-after-remap',
    ...include,
    '--exclude',
    'src/pages/test/**'
  ]
  spawnSync('c8', args, { cwd: root, stdio: 'inherit' })
}

/** Resolves when the next change of a source is compiled. */
async function changed() {
  const watchers = folders.map((folder) => watch(path.join(root, folder), { recursive: true }))
  await Promise.race(watchers.map((watcher) => once(watcher, 'change')))
  for (const watcher of watchers) watcher.close()
  await new Promise((resolve) => setTimeout(resolve, 100)) // an editor writes more than once
  begun = performance.now()
  await compile()
  console.log()
  return true
}
