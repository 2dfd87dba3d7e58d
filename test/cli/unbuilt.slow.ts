import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

const folder = temporaryFolder(t)
for (const name of ['package.json', 'bin']) {
  cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
}

const env = { ...process.env, npm_config_offline: 'true' }
const npm = (args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env })

t.test(
  'without a build the command line and the server say what to do, without a stack',
  async (t) => {
    for (const args of [
      ['run', '-s', 'portal', '--', 'user', 'list'],
      ['exec', '--', 'portal', '--help'],
      ['start', '-s']
    ]) {
      const { status, stderr } = npm(args)
      t.equal(status, 1, args.join(' '))
      t.match(stderr, /The portal is not built. Run: npm run build\n/)
      t.notMatch(stderr, /\n +at /)
    }
  }
)

t.test('with a build the command line runs, from the checkout and by its path', async (t) => {
  mkdirSync(path.join(folder, 'dist'))
  for (const name of ['src', 'db', 'routes', 'plugins']) {
    cpSync(path.join(root, '.build', name), path.join(folder, 'dist', name), { recursive: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const { stdout } = npm(['run', '-s', 'portal', '--', 'help', 'user', 'grant'])
  t.match(stdout, /^Usage: portal user grant/)
  const command = [path.join(folder, 'bin/portal.js'), '--version']
  const elsewhere = spawnSync(process.execPath, command, { cwd: '/', encoding: 'utf8' })
  t.match(elsewhere.stdout, /^\d+\.\d+\.\d+\n$/)
})
