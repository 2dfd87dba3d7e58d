import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import type * as packages from '../../bin/server-package.js'
import { version } from '../../src/version.ts'
import { installNode } from '../nodes/versions.ts'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'

// An app from the package, as somebody begins one: `npm run check -- package`.

// The tests are compiled to another folder, from which `../../bin` does not lead there.
const { packServer } = (await import(path.join(root, 'bin/server-package.js'))) as typeof packages
const folder = temporaryFolder(t)
const tarball = `portal-${version}.tgz`

run(root, process.execPath, 'npm', 'run', 'build')
await packServer(folder, path.join(folder, 'staging'))

/** Runs a program with this version of Node. */
function run(cwd: string, node: string, ...[file = '', ...args]: string[]) {
  const { CI, NODE_TEST_CONTEXT, ...others } = process.env
  return execFileSync(file, args, {
    cwd,
    env: { ...others, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
    encoding: 'utf8',
    maxBuffer: 2 ** 26
  })
}

/** Installs the package and creates an app with it, in an empty folder. */
function newApp(name: string, node: string) {
  const empty = path.join(folder, name)
  mkdirSync(empty)
  run(empty, node, 'npm', 'install', '--silent', path.join(folder, tarball))
  run(empty, node, 'npx', 'portal', 'init', 'my-app')
  const app = path.join(empty, 'my-app')
  run(app, node, 'npm', 'install', '--silent')
  return app
}

async function developed(t: Test, app: string, node: string) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const child = spawn('npm', ['run', 'dev'], {
    cwd: app,
    env: {
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      ALLOWED_HOSTS: '127.0.0.1'
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exit = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const status = async (url: string) => (await fetch(base + url).catch(() => undefined))?.status
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output)
    return (await status('/health')) === 200
  })
  return { status, output: () => output }
}

for (const wanted of ['22.18.0', '24', '26']) {
  t.test(`a new app is served and tested on Node ${wanted}`, async (t) => {
    const begun = Date.now()
    const { file: node } = await installNode(wanted)
    const app = newApp(`on-${wanted}`, node)
    t.match(run(app, node, 'npm', 'test'), /pass 2/)
    const dev = await developed(t, app, node)
    await until(() => dev.output().includes('portal, in development'))
    t.match(dev.output(), / App +.*my-app.app\n/)
    t.notMatch(dev.output(), /Warning/)
    t.equal(await dev.status('/api/notes'), 401)
    const route = path.join(app, 'app/routes/notes/index.ts')
    const text = readFileSync(route, 'utf8')
    writeFileSync(route, text.replace("app.get('/'", "app.get('/all'"))
    await until(async () => (await dev.status('/api/notes/all')) === 401)
    t.doesNotThrow(() => run(app, node, 'npm', 'run', 'check'))
    t.ok(Date.now() - begun < 180_000, 'in less than three minutes')
  })
}

t.test('the types are strict with every supported compiler', async (t) => {
  const app = newApp('typed', process.execPath)
  run(app, process.execPath, 'npm', 'run', 'typecheck')
  t.match(run(app, process.execPath, 'npm', 'run', 'migration'), /No schema changes/)
  for (const typescript of ['5.4', '5.9', '7']) {
    const compiler = `typescript@${typescript}`
    run(app, process.execPath, 'npm', 'install', '--silent', '--no-save', '--force', compiler)
    for (const module of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler']
    ] as const) {
      writeFileSync(
        path.join(app, 'tsconfig.strict.json'),
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            lib: ['es2023', 'dom'],
            module: module[0],
            moduleResolution: module[1],
            types: ['node'],
            strict: true,
            skipLibCheck: false,
            noEmit: true,
            allowImportingTsExtensions: true
          },
          include: ['app', 'test']
        })
      )
      t.same(await mistakes(app), [], `TypeScript ${typescript}, ${module[1]}`)
    }
  }
  const file = path.join(app, 'app/routes/notes/index.ts')
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace("'notes:write'", "'notes:wrote'"))
  t.match(await mistakes(app), [/^app.routes.notes.index\.ts\(17,/], 'a permission is checked')
})

/**
 * What the compiler reports about an app. The declarations of Drizzle are not clean without
 * `skipLibCheck`: they import drivers of other databases, for example.
 */
async function mistakes(app: string) {
  const compiler = path.join(app, 'node_modules/.bin/tsc')
  const child = spawn(process.execPath, [compiler, '-p', 'tsconfig.strict.json'], { cwd: app })
  const lines = (await text(child.stdout)).split('\n')
  return lines.filter((line) => /: error /.test(line) && !/^node_modules.drizzle-orm/.test(line))
}
