import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { extract } from 'tar'
import type * as packages from '../../bin/server-package.js'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

const { packServer } = (await import(path.join(root, 'bin/server-package.js'))) as typeof packages

t.test('the package installs no package that only tests need', async (t) => {
  const folder = temporaryFolder(t)
  const file = await packServer(folder, path.join(folder, 'staging'))
  await extract({ file, cwd: folder, strip: 1 })
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: object }>
  }
  const names = Object.keys(packages)
  t.ok(names.length > 150, `${names.length} packages`)
  t.same(
    names.filter((name) =>
      /\/(@types\/.*|pg|pg-.*|pgpass|postgres-(array|bytea|date|interval)|undici-types)$/.test(name)
    ),
    []
  )
  for (const name of Object.keys(packages['']?.dependencies ?? {})) {
    t.ok(names.includes(`node_modules/${name}`), name)
  }
  t.ok(names.includes('node_modules/postgres'))
})
