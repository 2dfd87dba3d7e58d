// Not on PGlite: it uses no database.

import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from './support/app.ts'
import { root } from './support/root.ts'

t.test('a checkout without its dependencies says how to install them', async (t) => {
  const folder = temporaryFolder(t)
  cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true })
  cpSync(path.join(root, 'test/run.js'), path.join(folder, 'test/run.js'))
  cpSync(path.join(root, 'test/runner'), path.join(folder, 'test/runner'), { recursive: true })
  cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
  for (const script of ['bin/dev.js', 'test/run.js']) {
    const { status, stderr } = spawnSync(process.execPath, [path.join(folder, script)], {
      encoding: 'utf8'
    })
    t.same([status, stderr], [1, 'The dependencies are not installed. Run: npm ci\n'], script)
  }
})
