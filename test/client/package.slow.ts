import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

t.test('the package has a script and types for each import, and one dependency', async (t) => {
  const folder = temporaryFolder(t)
  const bin = path.join(folder, 'bin')
  symlinkSync(path.join(root, 'bin'), bin) // as a package manager links a folder
  const client = path.join(folder, 'portal-client')
  execFileSync(process.execPath, [path.join(bin, 'client-package.js'), client])

  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', client], { cwd: folder })
  const [{ files }] = JSON.parse(packed.toString()) as [{ files: { path: string }[] }]
  const entries = ['portal', 'react', 'flags', 'messages']
  const shared = ['api', 'connection', 'refusals', 'send', 'session']
  t.same(
    files.map((file) => file.path).sort(),
    [
      ...['LICENSE', 'README.md', 'package.json'],
      ...entries.map((name) => `${name}.js`),
      ...[...entries, ...shared].map((name) => `${name}.d.ts`)
    ].sort()
  )
  const manifest = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8')) as {
    dependencies: object
  }
  t.same(Object.keys(manifest.dependencies), ['openapi-fetch'])
})
