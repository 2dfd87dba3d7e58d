import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compile, folders } from '../bin/compile.js'
import { leftOut } from './pglite.js'

// npm test: compiles changed files and runs each test file in a separate process.
//   node test/run.js                       all *.test.ts
//   node test/run.js test/domain/users/emails.test.ts   this one, or all in a folder
//   --suffix .slow.ts   all files of this name instead of .test.ts
//   --types             check types at the same time
//   --jobs 1            number of files at a time
//   --timeout 600       seconds until a file counts as hanging
//   --watch             repeat after each change
//   --coverage          report covered lines

const root = path.join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suffix: { type: 'string', default: '.test.ts' },
    types: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(os.availableParallelism() + 1) },
    timeout: { type: 'string', default: '600' },
    watch: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false }
  }
})
const coverage = path.join(root, '.build/coverage')
const durationsFile = path.join(root, '.build/durations.json')
const durations = existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {}
const onPglite = process.env.TEST_DATABASE_URL === 'pglite:memory'
// Optimizing the code of PGlite takes longer than most files run.
const engineOptions = onPglite ? ['--liftoff-only'] : []
/** The running processes. */
const children = new Set()

const types = values.types ? [checkTypes()] : []
await compile()
if (values.coverage) rmSync(coverage, { recursive: true, force: true })
process.env.PORTAL_TEST_RUNNER = String(process.pid) // names the folder of this run's database
const { cleanOldRuns } = await import('../.build/test/postgres.js')
const { stopTestServer } = await import('../.build/test/test-server.js')
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
  const files = positionals.length > 0 ? positionals.flatMap(filesOf) : allFiles()
  const results = [...(await runAll(files)), ...(await Promise.all(types))]
  report(results, performance.now() - begun)
} while (values.watch && (await changed()))
writeFileSync(durationsFile, JSON.stringify(durations))
await stopTestServer()
if (values.coverage) showCoverage()

function allFiles() {
  const all = filesOf('test')
  if (!onPglite || values.suffix !== '.test.ts') return all
  const missing = leftOut.filter((file) => !existsSync(path.join(root, file)))
  if (missing.length > 0) {
    throw new Error(`test/pglite.js names files that do not exist: ${missing.join(', ')}`)
  }
  return all.filter((file) => !leftOut.includes(file))
}

/** A file, or all test files in a folder, named from the checkout. */
function filesOf(argument) {
  const where = path.resolve(argument)
  if (!statSync(where).isDirectory()) return [path.relative(root, where)]
  return readdirSync(where, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(values.suffix))
    .map((file) => path.relative(root, path.join(where, file)))
    .sort((one, other) => durationOf(other) - durationOf(one)) // so that no long one runs at the end
}

/** Seconds of the last run, or an estimate from the file size. */
function durationOf(file) {
  return durations[file] ?? sizeOf(file) / 1000
}

function sizeOf(file) {
  return statSync(path.join(root, file)).size
}

async function runAll(files) {
  const waiting = [...files]
  const results = []
  await Promise.all(
    Array.from({ length: Number(values.jobs) }, async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) results.push(await run(file))
    })
  )
  return results
}

async function run(name) {
  const script = path.join(root, '.build', name.replace(/\.ts$/, '.js'))
  const result = await runNode([...engineOptions, '--enable-source-maps', script], {
    TAP_TIMEOUT: values.timeout,
    ...(values.coverage && { NODE_V8_COVERAGE: coverage })
  })
  const assertions = Number(/^# \{ total: (\d+)/m.exec(result.output)?.[1] ?? 0)
  const passed = result.end === 0 && assertions > 0
  durations[name] = result.seconds
  print({ name, passed, assertions, ...result })
  if (passed && positionals.length > 0) process.stdout.write(notes(result.output))
  return { name, passed, assertions, ...result }
}

async function checkTypes() {
  const name = 'types'
  const result = await runNode(['node_modules/typescript/bin/tsc', '-p', 'test'], {})
  const passed = result.end === 0
  print({ name, passed, assertions: '', ...result })
  return { name, passed, assertions: 0, ...result }
}

/** Runs a script to its end and collects its output. */
async function runNode(args, env) {
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  }
  // Test files report hanging tests themselves; this is for files that cannot.
  const limit = setTimeout(() => child.kill('SIGKILL'), (Number(values.timeout) + 30) * 1000)
  const [code, signal] = await once(child, 'close')
  clearTimeout(limit)
  children.delete(child)
  return { output, end: signal ?? code, seconds: (performance.now() - begun) / 1000 }
}

function print({ name, passed, assertions, seconds }) {
  const columns = [
    passed ? 'ok    ' : 'FAILED',
    seconds.toFixed(1).padStart(5),
    's',
    String(assertions).padStart(5)
  ]
  console.log(`${columns.join(' ')}  ${name}`)
}

function report(results, ms) {
  const failed = results.filter(({ passed }) => !passed)
  for (const { name, output, end } of failed) {
    const failures = notes(output).replace(/^ *ok \d+ .*\n/gm, '')
    const how = typeof end === 'number' ? `exit code ${end}` : end
    console.log(`\n──── ${name} (${how})\n${failures || 'It has no assertion.'}`)
  }
  const assertions = results.reduce((sum, result) => sum + result.assertions, 0)
  const files = results.length - types.length
  console.log(
    `\n${files} files, ${assertions} assertions, ${failed.length} failed, ${(ms / 1000).toFixed(0)} s`
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** The TAP output of a file without passed assertions. */
function notes(output) {
  return output.replace(
    /^ *(?:ok \d+ - (?!.*# (?:time|SKIP|TODO)).*|\d+\.\.\d+.*|# (?:Subtest|time=).*|TAP version 14|)\n/gm,
    ''
  )
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
    ''
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
