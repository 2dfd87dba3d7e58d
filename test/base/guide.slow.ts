import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type * as clients from '../../bin/client-package.js'
import type * as servers from '../../bin/server-package.js'
import { temporaryFolder, until } from '../support/app.ts'
import { readPage } from '../support/documents.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'

// Performs docs/do/build-on-the-portal.md by the letter in an empty folder, with the packages of a
// release and with Node's own TypeScript.
// Takes about 180 s, so it begins first.

const { writeClient } = (await import(path.join(root, 'bin/client-package.js'))) as typeof clients
const { packServer } = (await import(path.join(root, 'bin/server-package.js'))) as typeof servers
const folder = temporaryFolder(t)
const shop = path.join(folder, 'shop')

if (!isBuilt()) run(root, 'npm run build -- --noCheck')
await packServer(folder, path.join(folder, 'staging'))
await writeClient(path.join(folder, 'client'))
run(folder, 'npm pack --silent ./client')

const outputs: string[] = []
for (const [, info = '', text = ''] of readPage('docs/do/build-on-the-portal.md').matchAll(
  /^```(.+)\n([^]*?)^```$/gm
)) {
  const [, file] = / from examples\/orders\/(\S+)/.exec(info) ?? []
  if (file !== undefined) {
    mkdirSync(path.dirname(path.join(shop, file)), { recursive: true })
    writeFileSync(path.join(shop, file), text)
  }
  if (info === 'sh not run: test/base/guide.slow.ts runs it') {
    outputs.push(run(existsSync(shop) ? shop : folder, text))
  }
}

/** Whether a build is newer than what it is made from. */
function isBuilt() {
  const build = path.join(root, 'dist/src/base/index.d.ts')
  if (!existsSync(build)) return false
  const sources = ['src', 'plugins', 'routes', 'db', 'bin'].flatMap((each) =>
    readdirSync(path.join(root, each), { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => path.join(root, each, file))
  )
  return sources.every((file) => statSync(file).mtimeMs < statSync(build).mtimeMs)
}

function environment() {
  const { NODE_TEST_CONTEXT, NODE_OPTIONS, TAP, ...others } = process.env
  return others
}

function run(cwd: string, script: string) {
  return execFileSync('bash', ['-e', '-c', script], {
    cwd,
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26
  })
}

/** Returns the errors of the compiler, except in the types of Drizzle, which are not strict. */
function complaints() {
  const { stdout, status } = spawnSync('npx', ['tsc', '--pretty', 'false', '-p', 'strict.json'], {
    cwd: shop,
    env: environment(),
    encoding: 'utf8'
  })
  const found = stdout.split('\n').filter((line) => line.includes('error TS'))
  if (status !== 0 && found.length === 0) throw new Error(stdout)
  return found.filter((line) => !line.startsWith('node_modules/drizzle-orm/'))
}

/** The files that the page writes, with those that the portal wrote and the page keeps. */
const filesOf = (where: string) =>
  ['app', 'test', 'page', 'drizzle.config.ts', 'tsconfig.json'].flatMap((name) =>
    statSync(path.join(where, name)).isDirectory()
      ? readdirSync(path.join(where, name), { recursive: true, encoding: 'utf8' })
          .map((file) => path.join(name, file))
          // These have the time when they were generated, or are built.
          .filter((file) => !/meta|main\.js$|api\.d\.ts$/.test(file))
          .filter((file) => statSync(path.join(where, file)).isFile())
      : [name]
  )

t.test('the guide leads to an app whose tests pass', async (t) => {
  t.ok(outputs.length >= 6, 'its commands are run')
  t.match(outputs[1], /pass 2/, 'those of the new app')
  t.match(outputs.join('\n'), /pass 3/, 'those of the guide')
  t.match(outputs.join('\n'), /fail 0/)
})

t.test('the app of the guide is examples/orders, and has at most 150 lines', async (t) => {
  const example = path.join(root, 'examples/orders')
  const contents = (where: string) =>
    Object.fromEntries(
      filesOf(where).map((file) => [file, readFileSync(path.join(where, file), 'utf8')])
    )
  t.same(contents(shop), contents(example))
  const lines = Object.entries(contents(shop))
    .filter(([file]) => /^(app|test)\/.*\.ts$/.test(file) && !file.startsWith('app/plugins/'))
    .flatMap(([, text]) => text.split('\n').filter((line) => line.trim() !== ''))
  t.ok(lines.length > 100, 'lines are found')
  t.ok(lines.length <= 150, `${lines.length} lines`)
})

t.test('the tests of examples/customers pass with the same packages', async (t) => {
  const customers = path.join(folder, 'customers')
  cpSync(path.join(root, 'examples/customers'), customers, {
    recursive: true,
    filter: (file) => !/node_modules|\.data/.test(path.relative(root, file))
  })
  symlinkSync(path.join(shop, 'node_modules'), path.join(customers, 'node_modules'))
  const output = run(customers, 'npm test\nnpm run typecheck\nnpm run check')
  t.match(output, /pass 1\n/)
  t.match(output, /fail 0/)
})

t.test('the process serves the page, the routes and the portal', async (t) => {
  const port = await freePort()
  const server = spawn('npx', ['portal', 'start', '--app', 'app'], {
    cwd: shop,
    env: {
      ...environment(),
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      ALLOWED_HOSTS: '127.0.0.1'
    },
    stdio: 'ignore'
  })
  const exit = once(server, 'close')
  t.teardown(async () => {
    server.kill('SIGTERM')
    await exit
  })
  const get = (url: string) => fetch(`http://127.0.0.1:${port}${url}`)
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`)
    return (await get('/health').catch(() => undefined))?.status === 200
  })
  const page = await get('/')
  t.match(await page.text(), '<h1>Shop</h1>')
  t.equal(page.headers.get('content-security-policy'), "default-src 'self'")
  t.match(await (await get('/main.js')).text(), '/api/orders')
  t.match(await (await get('/api/orders')).json(), { status: 401, code: 'unauthenticated' })
  const document = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> }
  const paths = Object.keys(document.paths).filter((each) => each.includes('orders'))
  t.same(paths, ['/api/orders', '/api/orders/{id}/shipment'])
})

t.test('its types are strict with every supported compiler, and know its words', async (t) => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true
  }
  const config = { compilerOptions, include: ['app', 'test'] }
  writeFileSync(path.join(shop, 'strict.json'), JSON.stringify(config))
  for (const version of ['5.4', '5.9', '7']) {
    run(shop, `npm install --silent --no-save --force typescript@${version}`)
    t.same(complaints(), [], `TypeScript ${version}`)
  }
  // Mistakes in the words of the app, each in a line of its own.
  const file = path.join(shop, 'app/routes/orders/index.ts')
  const text = readFileSync(file, 'utf8')
  const mistakes = {
    "{ permission: 'orders:place' }": "{ permission: 'orders:plcae' }",
    "DomainError('order-not-found')": "DomainError('order-not-fuond')",
    'details: { carrier }': 'details: { career: carrier }',
    "throttled(request, 'orders')": "throttled(request, 'order')",
    "{ permission: 'orders:ship' }, tag: 'orders'": "{ permission: 'orders:ship' }, tag: 'order'",
    "'order-shipped', { userId": "'order-sent', { userId"
  }
  const wrong = Object.entries(mistakes).reduce(
    (all, [right, mistake]) => all.replace(right, mistake),
    text
  )
  writeFileSync(file, wrong)
  const lines = wrong.split('\n').flatMap((line, n) => (text.includes(line) ? [] : [n + 1]))
  t.equal(lines.length, Object.keys(mistakes).length)
  t.same(
    complaints().map((line) => Number(/index\.ts\((\d+),/.exec(line)?.[1])),
    lines
  )
})
