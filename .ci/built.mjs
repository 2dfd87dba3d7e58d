// The build, with production dependencies only: it starts in production mode, and every command and
// call of the documents does what its page shows. docs/do/contributing.md says how blocks are marked.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import pLimit from 'p-limit'
import postgres from 'postgres'
import { compile } from '../bin/compile.js'
import { packServer } from '../bin/server-package.js'

await compile()
process.env.PORTAL_TEST_RUNNER = String(process.pid) // names the folder of the database server
const { blocksOf, differenceOf, pages } = await import('../.build/test/support/documents.js')
const { until } = await import('../.build/test/support/app.js')
const { databaseUrl } = await import('../.build/test/support/postgres.js')
const { spawnServer } = await import('../.build/test/support/server-process.js')
const { stopTestServer, testServer } = await import('../.build/test/support/test-server.js')

const root = path.join(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'portal-built-'))
const children = []
let template // of the databases of `installed`
/** The environment of each page. A page that shows calls and is not in this list fails. */
const settings = {
  'docs/start/tutorial.md': development,
  'docs/do/accounts.md': (cwd) => development(cwd, { EMAIL_VERIFICATION: 'required' }),
  'docs/do/second-factor.md': (cwd) => development(cwd, { EMAIL_VERIFICATION: 'off' }),
  'docs/lookup/api.md': development,
  'docs/do/flags.md': development,
  'docs/do/segments.md': development,
  'docs/do/settings.md': withSettings,
  'docs/lookup/cli.md': production,
  'docs/do/moving.md': production,
  'docs/do/machines.md': production,
  'docs/lookup/configuration.md': production,
  'docs/do/install.md': production,
  'docs/do/access.md': installed,
  'docs/do/command-line-program.md': development,
  'docs/do/customers-and-teams.md': installed,
  'docs/do/find-out-what-happened.md': serving,
  'docs/do/let-other-systems-know.md': installed,
  'docs/do/native-app.md': development,
  'docs/do/roll-out-a-flag.md': installed,
  'docs/do/server-rendered-app.md': development,
  'docs/do/test-an-app.md': development,
  'docs/do/runbooks/a-webhook-fails.md': installed,
  'docs/do/runbooks/database-does-not-answer.md': installed,
  'docs/do/runbooks/database-failed-over.md': installed,
  'docs/do/runbooks/key-is-gone.md': installed,
  'docs/do/runbooks/key-leaked.md': installed,
  'docs/do/runbooks/last-administrator.md': installed,
  'docs/do/runbooks/mail-does-not-arrive.md': installed,
  'docs/do/runbooks/nobody-can-sign-in.md': installed,
  'docs/do/runbooks/sign-ins-are-slow.md': installed,
  'docs/do/runbooks/somebody-registers-strangers.md': installed,
  'docs/do/runbooks/somebody-was-in-an-account.md': installed,
  'docs/do/runbooks/standby-is-gone.md': installed
}

try {
  const files = await unpack()
  assert.deepEqual(
    files.filter((file) =>
      /^(test|src|plugins|routes|bench|release)\/|(?<!^bin\/scaffold\/.*|\.d)\.ts$|\.map$|\.env$/.test(
        file
      )
    ),
    []
  )
  for (const file of ['deploy/portal@.service', 'dist/src/server.js', 'docs/do/install.md']) {
    assert.ok(files.includes(file), `the package has no ${file}`)
  }
  execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder, stdio: 'inherit' })
  writeFileSync(
    path.join(folder, 'portal'),
    `#!/bin/sh\nexec '${process.execPath}' '${folder}/dist/src/cli.js' "$@"\n`,
    { mode: 0o755 }
  )
  const only = process.argv.slice(2)
  if (only.length === 0) await startsInProduction()
  const atATime = pLimit(2)
  await atATime.map(only.length > 0 ? only : pages(), check)
  for (const page of Object.keys(settings)) assert.ok(pages().includes(page), `there is no ${page}`)
} catch (error) {
  // At once: pages that are still being checked fail in other ways when their servers end.
  console.error(error)
  process.exitCode = 1
} finally {
  for (const child of children) child.kill('SIGKILL') // after a failure one may still run
  await stopTestServer()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** Unpacks the package of a release into the folder. Returns its own files. */
async function unpack() {
  const file = await packServer(folder, path.join(folder, 'staging'))
  execFileSync('tar', ['xzf', file, '--strip-components=1', '-C', folder])
  const list = execFileSync('tar', ['tzf', file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return list
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''))
    .filter((name) => !name.startsWith('node_modules/'))
}

async function startsInProduction() {
  const env = {
    NODE_ENV: '',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: 'https://portal.example.com',
    ALLOWED_HOSTS: '127.0.0.1',
    DATABASE_URL: 'pglite:data',
    SHUTDOWN_DELAY_SECONDS: '0'
  }
  const refused = await start(env, folder)
  assert.equal(await refused.exit, 1)
  assert.match(refused.output(), /SECRET_KEYS is not set/)

  const server = await (
    await start({ ...env, SECRET_KEYS: newKey(), ACCOUNT_PAGES: 'on' }, folder)
  ).ready()
  assert.equal((await fetch(`${server.base}/docs`)).status, 404)
  assert.equal((await fetch(`${server.base}/openapi.json`)).status, 200)
  assert.equal((await fetch(`${server.base}/console`)).status, 404)
  assert.deepEqual(readdirSync(path.join(folder, 'dist/pages')).sort(), [
    'account',
    'console',
    'operator'
  ])
  const page = await (await fetch(`${server.base}/account/sign-in`)).text()
  const files = [...page.matchAll(/"(\/account\/assets\/[^"]+)"/g)].map(([, file]) => file)
  assert.equal(files.length, 2)
  for (const file of files) assert.equal((await fetch(server.base + file)).status, 200)
  await stop(server)
  console.log('the build serves in production mode with production dependencies only')
}

/** Runs the blocks of a page one after the other, in a separate folder. */
async function check(page) {
  const blocks = blocksOf(page).filter(({ language }) => language === 'sh' || language === 'js')
  const runnable = blocks.filter(({ reason }) => reason === undefined)
  if (!settings[page]) {
    assert.equal(runnable.length, 0, `${page} has calls: say in .ci/built.mjs what they need`)
    return
  }
  assert.ok(runnable.length > 0, `${page} is to be checked, but shows no call that can be run`)

  const cwd = path.join(folder, page.replace(/\W/g, '-'))
  mkdirSync(cwd)
  const { base, env, end } = await settings[page](cwd)
  for (const block of runnable) await run(page, block, { cwd, base, env })
  await end()
  const others = blocks.filter(({ reason }) => reason !== undefined)
  console.log(`${page}: run ${runnable.length}, not run ${others.length}`)
  for (const { line, reason } of others) console.log(`  line ${line}: ${reason}`)
}

async function run(page, { language, text, line, file, shown, exitCode }, { cwd, base, env }) {
  const command = base ? text.replaceAll('http://localhost:3000', base) : text
  const child = spawn(
    ...(language === 'sh' ? shell(command) : browser(command, { base, cwd, name: file })),
    {
      cwd,
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: cwd, ...env },
      timeout: 300_000,
      stdio: ['ignore', 'pipe', 'pipe']
    }
  )
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    textOf(child.stdout),
    textOf(child.stderr)
  ])
  assert.equal(status, exitCode, `${page}, line ${line}: exit code ${status}\n${stdout}${stderr}`)
  // A call without a shown response must have none, because curl succeeds with any status.
  if (!shown && !text.startsWith('curl ')) return
  const difference = differenceOf(shown ?? { language: 'text', text: '' }, stdout)
  assert.equal(difference, undefined, `${page}, line ${line}: ${difference}\n${stdout}`)
}

function shell(command) {
  return ['bash', ['-e', '-o', 'pipefail', '-c', command]]
}

/**
 * Runs a script in Node with the `fetch` of a page served by `base` and the packages of this
 * checkout.
 */
function browser(command, { base, cwd, name = 'page.mjs' }) {
  const file = path.join(root, '.build/pages', path.basename(cwd), name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, command)
  return [process.execPath, [path.join(import.meta.dirname, 'browser.mjs'), file, base]]
}

/**
 * The environment after the first `npm run dev`. The cost of a hash is lower: hashes have a low
 * priority, and other checks keep the cores busy.
 */
async function development(cwd, changes = {}) {
  const given = { NODE_ENV: 'development', BCRYPT_COST: '10', ...changes }
  const server = await (await start(given, cwd)).ready()
  await until(() => existsSync(path.join(cwd, '.data/admin-password')))
  return { base: server.base.replace('127.0.0.1', 'localhost'), env: {}, end: () => stop(server) }
}

/** Adds the schema that the page shows first. */
async function withSettings(cwd) {
  const SETTINGS_SCHEMA = path.join(cwd, 'settings.json')
  const [schema] = blocksOf('docs/do/settings.md').filter(({ language }) => language === 'json')
  writeFileSync(SETTINGS_SCHEMA, schema.text)
  return development(cwd, { SETTINGS_SCHEMA })
}

/** The variables of a production server with an empty database, or a copy of the one of a model. */
async function production(_cwd, model = { name: 'template1', env: {}, limits: [] }) {
  const { url } = await testServer()
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  const name = `page_${randomBytes(8).toString('hex')}`
  await admin`create database ${admin(name)} template ${admin(model.name)}`
  for (const limit of model.limits) await admin.unsafe(`alter database ${name} set ${limit}`)
  const env = {
    PUBLIC_ORIGIN: 'https://portal.example.com',
    ACCOUNT_URL: 'https://portal.example.com/account',
    SECRET_KEYS: newKey(),
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    ...model.env,
    DATABASE_URL: databaseUrl(url, name)
  }
  return {
    name,
    env,
    async end() {
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
    }
  }
}

/**
 * The environment after the installation: with limits, a schema, the administrator
 * ops@example.com and the user ada@example.com. The first call creates a database that the others
 * copy.
 */
async function installed(cwd) {
  const model = await (template ??= createTemplate(cwd))
  return production(cwd, model)
}

async function createTemplate(cwd) {
  const { env, name } = await production(cwd)
  const portal = (command, input) =>
    execFileSync(path.join(folder, 'portal'), command.split(' '), {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      input,
      stdio: ['pipe', 'ignore', 'inherit']
    })
  portal('migrate')
  portal('admin create --email ops@example.com --password-file -', 'correct horse battery')
  portal(
    'user create --email ada@example.com --name Ada --password-file -',
    'correct horse battery'
  )
  const limits = ['statement_timeout = 5000', 'lock_timeout = 2000']
  return { name, env, limits: [...limits, 'idle_in_transaction_session_timeout = 10000'] }
}

/** A production server on such a database, for calls as well as for commands. */
async function serving(cwd) {
  const { env, end } = await installed(cwd)
  const local = { ...env, ALLOWED_HOSTS: 'localhost', SHUTDOWN_DELAY_SECONDS: '0' }
  const server = await (await start(local, cwd)).ready()
  return {
    base: server.base.replace('127.0.0.1', 'localhost'),
    env: local,
    async end() {
      await stop(server)
      await end()
    }
  }
}

async function start(env, cwd) {
  const server = await spawnServer(env, { cwd, script: path.join(folder, 'dist/src/server.js') })
  children.push(server.process)
  return server
}

async function stop(server) {
  server.process.kill('SIGTERM')
  assert.equal(await server.exit, 0)
}

function newKey() {
  return `k1:${randomBytes(32).toString('base64url')}`
}
