import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

/** The environment of a server that `npm run dev` starts in this folder. */
function environment(cwd: string, env: Record<string, string> = {}) {
  const preloaded = path.join(root, 'bin/load-env.js')
  const print = 'process.stdout.write(JSON.stringify(process.env))'
  const args = ['--import', preloaded, '--eval', print]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env })
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout) as Record<string, string>
}

t.test('npm run dev reads .env, and variables of the shell take precedence', async (t) => {
  const folder = temporaryFolder(t)
  t.same(environment(folder), {}, 'no file is fine')
  writeFileSync(path.join(folder, '.env'), 'PORT=3001\nBCRYPT_COST=10\n')
  t.same(environment(folder, { PORT: '3002' }), { PORT: '3002', BCRYPT_COST: '10' })
})

t.test('the first variable counts in a file that Windows has marked as UTF-8', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, '.env'), '\uFEFFPORT=3001\r\nBCRYPT_COST=10\r\n')
  t.same(environment(folder), { PORT: '3001', BCRYPT_COST: '10' })
  writeFileSync(path.join(folder, '.env'), Buffer.from('PRODUCT_NAME=Büro', 'latin1'))
  t.throws(() => environment(folder), { message: /\.env is not UTF-8/ })
})

t.test('a copy of .env.example has no effect until a line is uncommented', async (t) => {
  const folder = temporaryFolder(t)
  cpSync(path.join(root, '.env.example'), path.join(folder, '.env'))
  t.same(environment(folder), {})
})

t.test('an uncommented line of .env.example has its value in every reader', async (t) => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, '.env')
  const lines = readFileSync(path.join(root, '.env.example'), 'utf8')
  writeFileSync(file, lines.replace(/^#(?=[A-Z_]+=)/gm, ''))
  const values = environment(folder)
  t.ok(Object.keys(values).length > 30)
  for (const [name, value] of Object.entries(values)) t.not(value, '', name)
  const names = Object.keys(values)
  const print = names.map((name) => `printf '%s\\0' "$${name}"`).join('; ')
  const shell = spawnSync('sh', ['-c', `. ${file}; ${print}`], { encoding: 'utf8', env: {} })
  t.equal(shell.stderr, '')
  t.same(shell.stdout.split('\0').slice(0, -1), Object.values(values), 'as a shell reads it')
})
