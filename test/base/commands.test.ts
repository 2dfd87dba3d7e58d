import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { portal } from '../cli/run.ts'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'
import { appFolder, greeter, writeFiles } from '../support/app-folder.ts'

interface Manifest {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
const examples = ['orders', 'customers'].map((name) => path.join(root, 'examples', name))

t.test('`portal init` writes an app that names the portal it came from', async (t) => {
  const folder = path.join(temporaryFolder(t), 'my-app')
  const { code, stderr } = await portal(['init', folder])
  t.equal(code, 0, stderr)
  t.match(stderr, /npm install\n.*npm run dev/)
  const { name, dependencies } = manifestOf(folder)
  t.equal(name, 'my-app')
  t.equal(path.resolve(folder, (dependencies.portal ?? '').replace('file:', '')), root)
  t.notOk(path.isAbsolute((dependencies.portal ?? '').replace('file:', '')), 'it can be moved')
  for (const file of ['app/portal.ts', 'app/schema.ts', 'test/notes.test.ts', '.gitignore']) {
    t.ok(existsSync(path.join(folder, file)), file)
  }
  const other = path.join(temporaryFolder(t), 'other')
  await portal(['init', other, '--portal', 'https://example.com/portal.tgz'])
  t.equal(manifestOf(other).dependencies.portal, 'https://example.com/portal.tgz')
})

t.test('`portal init` refuses a folder with files, and a name that npm refuses', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')
  t.match(await portal(['init', folder]), { code: 1, stderr: /is in use/ })
  t.notOk(existsSync(path.join(folder, 'package.json')))
  t.match(await portal(['init', path.join(folder, 'notes.txt')]), { code: 1, stderr: /is in use/ })
  t.match(await portal(['init', path.join(folder, 'My App')]), { code: 1, stderr: /lowercase/ })
  mkdirSync(path.join(folder, 'empty'))
  t.equal((await portal(['init', path.join(folder, 'empty')])).code, 0)
})

t.test('the package of a new app has no secret of its development server', async (t) => {
  const folder = path.join(temporaryFolder(t), 'my-app')
  await portal(['init', folder])
  writeFiles(folder, {
    '.env': 'SECRET_KEYS=k1:secret',
    '.data/secret-keys': 'secret',
    '.data/admin-password': 'secret'
  })
  const text = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [packed] = JSON.parse(text) as [{ files: { path: string }[] }]
  const files = packed.files.map((file) => file.path)
  t.ok(files.includes('app/portal.ts'))
  t.same(
    files.filter((file) => file !== 'package.json' && !file.startsWith('app/')),
    []
  )
  const ignored = readFileSync(path.join(folder, '.gitignore'), 'utf8').split('\n')
  for (const name of ['.env', '.data/', '*.admin-password']) t.ok(ignored.includes(name), name)
})

t.test('the tests of an app fail where Node does not run TypeScript', async (t) => {
  const created = path.join(temporaryFolder(t), 'my-app')
  await portal(['init', created])
  const { typescript } = process.features as { typescript?: unknown }
  const NODE_OPTIONS = typescript ? '--no-experimental-strip-types' : ''
  for (const cwd of [created, ...examples]) {
    const env = { ...process.env, NODE_OPTIONS, NODE_TEST_CONTEXT: undefined }
    const { status, stderr } = spawnSync('npm', ['test'], { cwd, env, encoding: 'utf8' })
    t.equal(status, 1, cwd)
    t.match(stderr, 'The tests are TypeScript. Use Node 22.18 or newer.')
  }
})

t.test('a new app develops with the versions of the portal', async (t) => {
  const { devDependencies } = manifestOf(root)
  const created = manifestOf(path.join(root, 'bin/scaffold')).devDependencies
  for (const name of ['typescript', 'drizzle-kit']) t.equal(created[name], devDependencies[name])
})

t.test('`portal app check` prints the mistakes of an app, and fails', async (t) => {
  const good = appFolder(t, greeter)
  t.match(await portal(['app', 'check', '--app', good]), { code: 0, stderr: /^No mistakes in / })

  const wrong = appFolder(t, {
    ...greeter,
    'portal.js': `import { defineApp } from 'portal'
      export default defineApp({
        permissions: { Shout: 'Shout' }, actions: { 'greeting.send': {} }
      })`
  })
  const { code, stderr } = await portal(['app', 'check'], { env: { APP: wrong } })
  t.equal(code, 1)
  t.match(stderr, /portal\.js:3: permissions: Shout must be like orders:read/)
  t.match(stderr, /portal\.js:3: actions: when of greeting\.send must be a text/)

  const unknown = appFolder(t, {
    'routes/greeting.js':
      "export default async (app) => { app.get('/hello', async () => 'Hello') }",
    'routes/orders.js': `import { closed, problem } from 'portal'
      export default async (app) => {
        const response = { 200: closed({}), 409: problem('Too late', 'invalid-request', 'too-late') }
        app.get('/orders', { config: { access: 'public', tag: 'boxes' }, schema: { response } }, async () => ({}))
      }`
  })
  const misnamed = await portal(['app', 'check', '--app', unknown])
  t.equal(misnamed.code, 1)
  t.match(misnamed.stderr, /greeting\.js:1: GET \/api\/hello has no access policy/)
  const place = `${unknown}/routes/orders.js:4: GET /api/orders`
  t.match(misnamed.stderr, `${place} has the tag boxes, which neither the portal nor the app has`)
  t.match(misnamed.stderr, 'declare it in tags')
  t.match(misnamed.stderr, `${place} has the problem too-late, which neither`)
  t.match(misnamed.stderr, 'declare it in problems')
  t.notMatch(misnamed.stderr, 'invalid-request')
  t.match(await portal(['app', 'check', '--app', '/nowhere']), {
    code: 1,
    stderr: /There is no folder \/nowhere/
  })
})

t.test('`portal openapi` and `portal app types` describe the app as well', async (t) => {
  const app = appFolder(t, greeter)
  const { code, stdout, stderr } = await portal(['openapi', '--app', app])
  t.equal(code, 0, stderr)
  const document = JSON.parse(stdout) as { paths: Record<string, object> }
  t.match(document.paths['/api/greeting'], { get: { operationId: 'greet' } })
  t.ok(document.paths['/api/auth/me'])
  t.notOk(document.paths['/api/admin/users'], 'without the admin API')
  t.notOk((await portal(['openapi'])).stdout.includes('/api/greeting'))

  const types = await portal(['app', 'types', '--app', app])
  t.equal(types.code, 0, types.stderr)
  t.match(types.stdout, /"\/api\/greeting": \{[^]*operations\["greet"\]/)
})
