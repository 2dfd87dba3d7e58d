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
const config = (name) => path.join('bin/lint', name)
const fix = values.fix ? ['--fix'] : []
const rooms = ['src', 'plugins', 'routes', 'db']

installLinters()
run('oxfmt', values.fix ? [] : ['--check'], files)
run('oxlint', ['--type-aware', '--config', config('oxlint.json')], files.length > 0 ? files : rooms)
run('eslint', ['--config', config('eslint.config.js'), ...fix], files.length > 0 ? files : ['.'])
if (values.fix) run('oxfmt', [], files)
else if (files.length === 0) run('knip', ['--config', config('knip.jsonc')])

function run(name, options, paths = []) {
  const command = path.join(root, 'bin/lint/node_modules/.bin', name)
  const { status, error } = spawnSync(command, [...options, ...paths], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32'
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
