import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type * as packages from '../../bin/client-package.js'
import { temporaryFolder } from '../support/app.ts'
import { withinLimit } from '../support/size-limits.ts'
import { root } from '../support/root.ts'

const { writeScripts } = (await import(path.join(root, 'bin/client-package.js'))) as typeof packages

t.test(
  'the client weighs at most 5.5 KB compressed, and loads only the solver of challenges',
  async (t) => {
    const folder = temporaryFolder(t)
    await writeScripts(folder)
    const script = readFileSync(path.join(folder, 'portal.js'))
    const size = gzipSync(script, { level: 9 }).length
    withinLimit(t, 'compressed bytes of the client', { size, limit: 5.5 * 1024 })
    t.same(script.toString().match(/\bfrom\s*["']|\bimport\b[^)]*\)?/g), ['import("./proof.js")'])
    const solver = readFileSync(path.join(folder, 'proof.js'))
    const solverSize = gzipSync(solver, { level: 9 }).length
    withinLimit(t, 'compressed bytes of the solver', { size: solverSize, limit: 1300 })
    t.notMatch(solver.toString(), /\bfrom\s*["']|\bimport\b/)
  }
)
