import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { built, root } from '../support/root.ts'

// `npm run check -- walk FLOW` prints the files that a request enters, in the order of first visits.
// Each flow runs twice: the first time shows which functions to watch.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } }
})
const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
// Before the product is loaded, because V8 counts the blocks of what it compiles from now on.
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
await inspector.post('Debugger.enable')
const { flows, startPortal } = await import('./flows.ts')

interface Walk {
  /** The lines that ran, by file, in the order of first visits. */
  lines: Map<string, Set<number>>
  calls: Map<string, [caller: string, file: string]>
}

const base = pathToFileURL(`${built}/`).href
const isProduct = /^(?:src|plugins|routes|db)\/(?!.*dev-provider|.*development-files)/
/** By its name in .build, without the ending. */
const sourceFile = (name: string) =>
  existsSync(path.join(root, `${name}.ts`)) ? `${name}.ts` : `${name}.js`
const fileOf = (url: string) => sourceFile(url.replace(base, '').replace(/\.js$/, ''))
type Origin = 'request' | 'mail' | 'job'
const context = new AsyncLocalStorage<Origin>()
let wanted: Origin | undefined
let current: Walk = { lines: new Map(), calls: new Map() }

/** Called by every function that is watched. */
function walkProbe(file: string) {
  if (file === 'src/domain/mail/worker.ts') context.enterWith('mail')
  if (file === 'src/repeat.ts') context.enterWith('job')
  // Callbacks of a connection have no context, and belong to the request.
  if ((context.getStore() ?? 'request') !== wanted) return
  if (!current.lines.has(file)) current.lines.set(file, new Set())
  const [caller] = [...(new Error().stack ?? '').matchAll(/\.build\/([\w/-]+)\.js:/g)]
    .map(([, name = '']) => sourceFile(name))
    .filter((name) => name !== file && isProduct.test(name))
  if (caller !== undefined) current.calls.set(`${caller} ${file}`, [caller, file])
}
Object.assign(globalThis, { walkProbe })
Error.stackTraceLimit = 30

/** The functions of the product that have run since the last call. */
async function ranSince() {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(base) && isProduct.test(fileOf(url)))
    .map((script) => ({
      ...script,
      functions: script.functions.filter(({ ranges: [all] }) => all?.count && all.startOffset > 0)
    }))
}

/** Lets these functions call the probe, as the condition of a breakpoint that never stops. */
async function watch({ scriptId, url, functions }: Profiler.ScriptCoverage) {
  const { text } = sourceOf(url)
  const placeOf = (offset = 0) => {
    const before = text.slice(0, offset).split('\n')
    return { scriptId, lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 }
  }
  for (const { ranges } of functions) {
    const [start, end] = [placeOf(ranges[0]?.startOffset), placeOf(ranges[0]?.endOffset)]
    const range = { start, end, restrictToFunction: true }
    const { locations } = await inspector.post('Debugger.getPossibleBreakpoints', range)
    const [location] = locations
    if (!location) continue
    const condition = `walkProbe(${JSON.stringify(fileOf(url))})`
    await inspector.post('Debugger.setBreakpoint', { location, condition }).catch(ignoreSecond)
  }
}

function ignoreSecond(error: Error) {
  if (!error.message.includes('already exists')) throw error
}

function sourceOf(url: string) {
  const text = readFileSync(new URL(url), 'utf8')
  const [, map] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(text) ?? []
  return { text, map: map && new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString())) }
}

/** The lines of the source that have run. */
function linesOf({ url, functions }: Profiler.ScriptCoverage) {
  const { text, map } = sourceOf(url)
  const ran = new Uint8Array(text.length)
  for (const { count, startOffset, endOffset } of functions.flatMap(({ ranges }) => ranges)) {
    ran.fill(Math.min(count, 1), startOffset, endOffset)
  }
  let start = 0
  const lines = text.split('\n').flatMap((line, number) => {
    const offset = start
    start += line.length + 1
    return [...line.matchAll(/\S+/g)].flatMap(({ index }) => {
      if (ran[offset + index] === 0) return []
      const entry = map ? map.findEntry(number, index) : { originalLine: number }
      return 'originalLine' in entry ? [Number(entry.originalLine)] : []
    })
  })
  return new Set(lines)
}

async function walk(portal: Awaited<ReturnType<typeof startPortal>>, flow: string) {
  // A request that joins the batch of a job has the context of the job from then on, is never seen
  // in the log of requests, and is repeated.
  const isComplete = () =>
    [...current.lines.keys()].some((file) => /^plugins\/request-log|mail\/worker/.test(file))
  for (let round = 0; round < 2 || (!isComplete() && round < 20); round++) {
    const request = await context.run('request', () => flows[flow]?.(portal))
    await ranSince()
    current = { lines: new Map(), calls: new Map() }
    wanted = flow === 'recovery-mail' ? 'mail' : 'request'
    const response = await context.run('request', async () => request?.())
    const scripts = await ranSince()
    wanted = undefined
    if (!response || response.statusCode >= 400) throw new Error(`${flow} failed`)
    for (const script of scripts) {
      if (round === 0) await watch(script)
      else if (current.lines.has(fileOf(script.url))) {
        current.lines.set(fileOf(script.url), linesOf(script))
      }
    }
  }
  return current
}

// Files of a higher floor call those of a lower one. A call in the other direction is a callback.
const page = readFileSync(path.join(root, 'docs/understand/architecture.md'), 'utf8')
const domain = [...page.matchAll(/^\| \d+ \| (`.*) \|$/gm)].map(([, row = '']) =>
  [...row.matchAll(/`([\w-]+)`/g)].map(([, folder]) => `src/domain/${folder}`)
)
const above = ['routes', 'plugins', 'src', 'src/config', 'src/http', 'src/outbound', 'src/schemas']
const floors = [...above.map((room) => [room]), ...domain, ['src/domain', 'src/problems'], ['db']]
const roomOf = (file: string) => /^(src\/domain\/[\w-]+|src\/[\w-]+|\w+)\//.exec(file)?.[1] ?? ''
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.includes(roomOf(file)))

function describe(flow: string, walks: Map<string, Walk>) {
  const { lines, calls } = walks.get(flow) ?? current
  const isShared = (file: string) =>
    walks.get('session-check')?.lines.has(file) === true
      ? !file.startsWith('routes/')
      : [...walks.values()].filter((each) => each.lines.has(file)).length * 2 > walks.size
  const files = [...lines].map(([file, ran]) => ({
    file,
    room: roomOf(file),
    ran: ran.size,
    lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1,
    own: !isShared(file)
  }))
  const own = new Set(files.flatMap(({ file, own }) => (own ? [file] : [])))
  const steps = [...calls.values()]
    .filter(([, file]) => own.has(file))
    .map((call) => call.map(floorOf) as [number, number])
  return {
    flow,
    files,
    rooms: new Set(files.map(({ room }) => room)).size,
    own: own.size,
    down: steps.filter(([from, to]) => from < to).length,
    up: steps.filter(([from, to]) => from > to).length
  }
}

function print({ flow, files, rooms, own, down, up }: ReturnType<typeof describe>) {
  const widest = Math.max(...files.map(({ file }) => file.length))
  const rows = files.map(
    (each) =>
      `${each.own ? '*' : ' '} ${each.file.padEnd(widest)}  ${each.room.padEnd(25)}` +
      `${each.ran} of ${each.lines}`
  )
  const counts = `${files.length} files, ${rooms} rooms, ${own} own files (*), ${down} down, ${up} up`
  process.stdout.write(`\n${flow}\n\n${rows.join('\n')}\n\n${counts}\n`)
}

const isUnknown = positionals.some((flow) => !Object.hasOwn(flows, flow))
if (positionals.length === 0 || isUnknown) {
  process.exitCode = isUnknown ? 2 : 0
  process.stdout.write(`The flows: ${Object.keys(flows).join(', ')}\n`)
} else {
  const ends: (() => unknown)[] = []
  const life = { teardown: (end: () => unknown) => ends.unshift(end) }
  try {
    const portal = await startPortal(life)
    const walks = new Map<string, Walk>()
    for (const flow of Object.keys(flows)) walks.set(flow, await walk(portal, flow))
    const found = positionals.map((flow) => describe(flow, walks))
    if (values.json) process.stdout.write(JSON.stringify(found))
    else found.forEach(print)
  } finally {
    for (const end of ends) await end()
    // A test that starts this program shares its server with it.
    const isAlone = process.env.PORTAL_TEST_RUNNER === undefined
    if (isAlone) await (await import('../support/test-server.ts')).stopTestServer()
    inspector.disconnect()
  }
}
