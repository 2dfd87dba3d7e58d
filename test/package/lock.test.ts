import path from 'node:path'
import t from 'tap'
import type * as packages from '../../bin/server-package.js'
import { root } from '../support/root.ts'

const { packageFiles } = (await import(path.join(root, 'bin/server-package.js'))) as typeof packages

t.test('the package installs no package that only tests need', async (t) => {
  const { manifest, lock } = packageFiles()
  const names = Object.keys(lock.packages)
  t.ok(names.length > 150, `${names.length} packages`)
  t.same(
    names.filter((name) =>
      /\/(@types\/.*|pg|pg-.*|pgpass|postgres-(array|bytea|date|interval)|undici-types)$/.test(name)
    ),
    []
  )
  for (const name of Object.keys(manifest.dependencies)) {
    t.ok(names.includes(`node_modules/${name}`), name)
  }
  t.ok(names.includes('node_modules/postgres'))
})
