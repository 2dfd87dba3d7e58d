import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type * as packages from '../../bin/server-package.js'
import { version } from '../../src/version.ts'
import { cookieOf, password, temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'
import { post, spawnServer } from '../support/server-process.ts'

// The package as somebody installs it: `npm run check -- package`.

// The tests are compiled to another folder, from which `../../bin` does not lead there.
const { packServer } = (await import(path.join(root, 'bin/server-package.js'))) as typeof packages
const folder = temporaryFolder(t)
const tarball = `portal-${version}.tgz`
const installed = path.join(folder, 'app')
mkdirSync(installed)
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', ['--loglevel', 'error', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26
  })
const start = { script: path.join(installed, 'node_modules/.bin/portal'), args: ['start'] }

interface Lock {
  packages: Record<string, { version: string }>
}

npm(root, 'run', 'build')
await packServer(folder, path.join(folder, 'staging'))

t.test('the package has what a host needs, and no sources, tests, maps or secrets', async (t) => {
  const list = execFileSync('tar', ['tzf', path.join(folder, tarball)], { encoding: 'utf8' })
  const files = list
    .split('\n')
    .map((file) => file.replace('package/', ''))
    .filter((file) => file !== '')
  const expected =
    /^(bin\/[\w-]+\.js|bin\/scaffold\/.+|deploy\/.+|dist\/.+\.(js|d\.ts|css|svg|json|sql|tgz|br|gz)|docs\/([\w-]+\/){0,2}[\w-]+\.md|[A-Z]+(\.md)?|package\.json|package-lock\.json)$/
  t.same(
    files.filter((file) => !expected.test(file)),
    []
  )
  for (const file of [
    'dist/src/server.js',
    'deploy/portal@.service',
    'docs/do/install.md',
    'docs/do/runbooks/restore.md',
    'docs/understand/decisions/README.md',
    'LICENSE'
  ]) {
    t.ok(files.includes(file), file)
  }
})

t.test('what the package names has the version that was tested', async (t) => {
  const { status, stderr } = spawnSync('npm', ['install', path.join(folder, tarball)], {
    cwd: installed,
    encoding: 'utf8'
  })
  t.equal(status, 0, stderr)
  t.notMatch(stderr, /warn/, 'all of it is for this version of Node')
  const nameOf = (file: string) => file.split('node_modules/').at(-1) ?? ''
  const tested = new Set(
    Object.entries(lockOf(root, 'package-lock.json')).map(
      ([file, { version }]) => `${nameOf(file)} ${version}`
    )
  )
  const here = path.join(installed, 'node_modules/portal')
  const { dependencies } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const own = new Set(Object.keys(dependencies).map((name) => `node_modules/${name}`))
  // Dependencies of these may be newer: the lock file of a package counts for `npm ci` only.
  const fixed = Object.entries(lockOf(installed, 'node_modules/.package-lock.json'))
    .filter(([file]) => own.has(file))
    .map(([file, { version }]) => `${nameOf(file)} ${version}`)
  t.same(
    fixed.filter((each) => !tested.has(each)),
    []
  )
  t.equal(fixed.length, own.size, 'an app finds all of them, such as Fastify')
})

t.test('in an empty folder, `portal start` serves on the embedded database', async (t) => {
  const cwd = path.join(folder, 'empty')
  mkdirSync(cwd)
  const env = { NODE_ENV: 'development', ALLOWED_HOSTS: '127.0.0.1', HOST: '127.0.0.1' }
  const server = await spawnServer(env, { cwd, ...start })
  t.teardown(() => server.process.kill('SIGKILL'))
  await server.ready()
  const account = { email: 'ada@example.com', password }
  t.equal((await post(server, '/api/auth/register', { ...account, name: 'Ada' })).status, 201)
  const login = await post(server, '/api/auth/login', account)
  const cookie = cookieOf({
    statusCode: login.status,
    headers: { 'set-cookie': login.headers.getSetCookie() }
  })
  const me = await fetch(`${server.base}/api/auth/me`, { headers: { cookie } })
  t.match(await me.json(), { user: { email: account.email } })
  server.process.kill('SIGTERM')
  t.equal(await server.exit, 0, 'it ends as `npm start` does')
})

t.test('in production, `portal start` names what it lacks', async (t) => {
  const server = await spawnServer({ NODE_ENV: 'production' }, { cwd: folder, ...start })
  t.equal(await server.exit, 1)
  for (const name of ['DATABASE_URL', 'SECRET_KEYS', 'PUBLIC_ORIGIN']) {
    t.match(server.output(), new RegExp(`^\\W*${name} `, 'm'))
  }
})

function lockOf(where: string, file: string) {
  return (JSON.parse(readFileSync(path.join(where, file), 'utf8')) as Lock).packages
}
