// The build, with production dependencies only: in production mode it keeps its promises,
// in development mode the README's calls give what the README shows.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from '../test/compile.js'

await compile()
const { spawnServer } = await import('../.build/test/server-process.js')

const root = path.join(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'portal-built-'))
const children = []
try {
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  execFileSync('npm', ['ci', '--omit=dev'], { cwd: folder, stdio: 'inherit' })
  await inProduction()
  await asTheReadmeShows()
} finally {
  for (const child of children) child.kill('SIGKILL') // after a failure one may still run
  rmSync(folder, { recursive: true, force: true })
}

async function inProduction() {
  const production = {
    NODE_ENV: '',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: 'https://portal.example.com',
    ALLOWED_HOSTS: '127.0.0.1',
    DATABASE_URL: 'pglite:data',
    SHUTDOWN_DELAY_SECONDS: '0'
  }
  const refused = await start(production)
  assert.equal(await refused.exit, 1)
  assert.match(refused.output(), /SECRET_KEYS is not set/)

  const server = await (
    await start({ ...production, SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}` })
  ).ready()
  assert.equal((await fetch(`${server.base}/docs`)).status, 404)
  assert.equal((await fetch(`${server.base}/openapi.json`)).status, 200)
  server.process.kill('SIGTERM')
  assert.equal(await server.exit, 0)
  console.log('the build serves in production mode with production dependencies only')
}

async function asTheReadmeShows() {
  const server = await (await start({ NODE_ENV: 'development' })).ready()
  const blocks = [
    ...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(
      /```sh\n(curl [^`]*)```(?:\n\n```json\n([^`]*)```)?/g
    )
  ]
  assert.ok(blocks.length >= 6, 'the README shows its calls')
  for (const [, command, shown] of blocks) {
    const answer = execFileSync(
      'bash',
      ['-c', command.replaceAll('http://localhost:3000', server.base)],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    )
    const expected = (shown ?? '')
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^"]+')
    assert.match(answer.trim(), new RegExp(`^${expected}$`), command)
  }
  server.process.kill('SIGTERM')
  assert.equal(await server.exit, 0)
  console.log(`${blocks.length} calls of the README give what it shows`)
}

/** The build, started in its folder. */
async function start(env) {
  const server = await spawnServer(env, { cwd: folder, script: 'dist/src/server.js' })
  children.push(server.process)
  return server
}
