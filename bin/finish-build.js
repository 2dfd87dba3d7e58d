import { cpSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeDeclarations } from './declarations.js'
import { writeBundle } from '../dist/src/http/pages/bundles.js'

// npm run build, after tsc: adds to dist what is not TypeScript, and rejects a build that would
// look for the sources.

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

cpSync(path.join(root, 'db/migrations'), path.join(dist, 'db/migrations'), { recursive: true })
cpSync(path.join(root, 'src/common/words'), path.join(dist, 'src/common/words'), {
  recursive: true,
  filter: (file) => !file.endsWith('.ts')
})
// A server needs only the archive. Its package demands one exact version of PGlite, so it is a
// package for development.
const archive = import.meta.resolve('@electric-sql/pglite-prepopulatedfs')
cpSync(
  path.join(path.dirname(fileURLToPath(archive)), 'prepopulatedfs.tgz'),
  path.join(dist, 'db/pglite/empty-cluster.tgz')
)
for (const name of ['account', 'console', 'operator']) await writeBundle(name)

writeDeclarations(dist)

const wrong = importsOfSources()
if (wrong.length > 0) {
  console.error(`${wrong.join('\n')}
The compiler left imports of .ts files in dist, which a build does not have. It overlooks import()
inside an expression that is exported by default: move the import into a function beside it.`)
  process.exitCode = 1
}

function importsOfSources() {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.startsWith('pages'))
    .flatMap((file) => {
      const imports = /\b(?:from|import)\s*\(?\s*['"][^'"]+\.tsx?['"]/g
      const found = readFileSync(path.join(dist, file), 'utf8').match(imports) ?? []
      return found.map((text) => `dist/${file}: ${text}`)
    })
}
