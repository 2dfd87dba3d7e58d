import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { installLinters } from './lint/install.js'

// npm run lint: checks the format, the rules and what is unused, and ends at the first failure.
//   node bin/lint.js                 everything
//   node bin/lint.js src/app.ts      the format and the rules of some files
//   --fix                            corrects what can be corrected

const root = path.join(import.meta.dirname, '..')
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { fix: { type: 'boolean', default: false } }
})
const programs = path.join(root, 'bin/lint/node_modules/.bin')
const config = (name) => path.join('bin/lint', name)
const fix = values.fix ? ['--fix'] : []
const rooms = ['src', 'plugins', 'routes', 'db']

installLinters()
run('oxfmt', values.fix ? [] : ['--check'], files)
const tests = 'src/pages/test'
const product = files.filter(
  (file) => rooms.some((room) => file.startsWith(room)) && !file.startsWith(tests)
)
if (product.length > 0 || files.length === 0) {
  const typed = files.length > 0 ? product : rooms
  const options = ['--type-aware', '--config', config('oxlint.json'), '--ignore-pattern', tests]
  run('oxlint', options, typed)
}
run('eslint', ['--config', config('eslint.config.js'), ...fix], files.length > 0 ? files : ['.'])
if (values.fix) run('oxfmt', [], files)
else if (files.length === 0) run('knip', ['--config', config('knip.jsonc')])

function run(name, options, paths = []) {
  const { status, error } = spawnSync(name, [...options, ...paths], {
    cwd: root,
    env: { ...process.env, PATH: [programs, process.env.PATH].join(path.delimiter) },
    stdio: 'inherit',
    shell: process.platform === 'win32'
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
