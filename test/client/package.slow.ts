import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
  const entries = ['portal', 'react', 'flags', 'messages', 'cookies']
  const shared = ['api', 'connection', 'refusals', 'session']
  t.same(
    files.map((file) => file.path).sort(),
    [
      ...['LICENSE', 'README.md', 'package.json'],
      // The solver of challenges is loaded when one comes.
      ...[...entries, 'proof'].map((name) => `${name}.js`),
      ...[...entries, ...shared].map((name) => `${name}.d.ts`)
    ].sort()
  )
  const manifest = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8')) as {
    dependencies: object
  }
  t.same(Object.keys(manifest.dependencies), ['openapi-fetch'])

  // Compilers before 4.7 and Jest resolve by `main` and `types`.
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(client, path.join(modules, 'portal-client'))
  symlinkSync(path.join(root, 'node_modules/openapi-fetch'), path.join(modules, 'openapi-fetch'))
  const program = "import { createPortal } from 'portal-client'\nvoid createPortal().session\n"
  writeFileSync(path.join(folder, 'old.ts'), program)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--module', 'commonjs', '--moduleResolution', 'node10', '--noEmit']
  const more = ['--skipLibCheck', '--lib', 'es2022,dom', 'old.ts']
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...more], {
    cwd: folder,
    encoding: 'utf8'
  })
  t.equal(stdout, '', 'a compiler with the resolution node10 finds the package')
})
