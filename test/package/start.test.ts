import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder, until } from '../support/app.ts'
import { root } from '../support/root.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

t.test('systemd, the image and npm start run the server with the same options', async (t) => {
  const [, unit] = /^ExecStart=node (.+)$/m.exec(read('deploy/portal@.service')) ?? []
  const [, image] = /^CMD \["node", (.+)\]$/m.exec(read('Dockerfile')) ?? []
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  t.match(unit, /^--max-semi-space-size=\d+ dist\/src\/server\.js$/)
  t.equal(image?.replaceAll(/[",]/g, ''), unit)
  t.equal(scripts.start, `node --import ./bin/end-with-npm.js ${unit}`)
})

t.test('scripts of npm run in the shell of Windows as well', async (t) => {
  for (const folder of ['.', 'bench', 'site', 'examples/app']) {
    const { scripts } = JSON.parse(read(path.join(folder, 'package.json'))) as {
      scripts: Record<string, string>
    }
    for (const [name, script] of Object.entries(scripts)) {
      // Variables before a command, other commands of POSIX, substitutions, quotes, lists with `;`.
      t.notMatch(
        script,
        /(^|&& *)[A-Z_]+=|\b(exec|rm|cp|mv|cat|export)\b|[$`';]/,
        `${folder}: ${name}`
      )
    }
  }
})

t.test('a process of npm ends with npm, which ends only the shell in between', async (t) => {
  const folder = temporaryFolder(t)
  const rule = path.join(root, 'bin/end-with-npm.js')
  writeFileSync(
    path.join(folder, 'server.js'),
    'console.log(process.pid); setInterval(() => {}, 9000)'
  )
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ scripts: { start: `node --import "${rule}" server.js` } })
  )
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [text] = (await once(npm.stdout, 'data')) as [Buffer]
  const pid = Number(text.toString())
  const isRunning = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  t.ok(isRunning())
  npm.kill('SIGTERM')
  await until(() => !isRunning())
})
