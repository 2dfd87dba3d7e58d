import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
/** The types that the console and the account pages call the portal with. Git ignores the file. */
const file = path.join(root, 'openapi/api.d.ts')

interface Document {
  paths: Record<string, object>
  components: { schemas: Record<string, object>; responses: Record<string, object> }
}

/** Writes the types, unless they were written from the same sources. */
export async function writeClientTypes() {
  const heading = `// Written by npm run types, from sources with the SHA-256 ${hashOfSources()}.\n`
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(heading)) return
  const { default: openapiTs, astToString } = await import('openapi-typescript')
  const text = `${heading}\n${astToString(await openapiTs(JSON.stringify(await merged())))}`
  // In one step, because a compiler may be reading the file.
  const written = path.join(root, `.build/api-types-${process.pid}`)
  mkdirSync(path.dirname(written), { recursive: true })
  writeFileSync(written, text)
  renameSync(written, file)
}

/** The documents depend on the server without its pages, the version, and the generator. */
function hashOfSources() {
  const sources = ['src', 'plugins', 'routes', 'db']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name)
      )
    )
    .filter((name) => name.endsWith('.ts') && !/^src.(pages|client)\b/.test(name))
  const hash = createHash('sha256')
  for (const name of [...sources.sort(), 'openapi/client-types.ts', 'package-lock.json']) {
    hash.update(`${name}\n`).update(readFileSync(path.join(root, name)))
  }
  return hash.digest('hex')
}

/**
 * The document of development with the commands of other systems, and with the operations that only
 * the console of an operator has.
 */
async function merged(): Promise<Document> {
  const { documentOf } = await import('../src/document.ts')
  const [console, development] = [
    await documentOf('console'),
    await documentOf('development', { commands: true })
  ].map((text) => JSON.parse(text) as Document)
  if (!console || !development) throw new Error('there are two documents')
  const { schemas, responses } = development.components
  return {
    ...development,
    paths: completed(development.paths, console.paths),
    components: {
      ...development.components,
      schemas: completed(schemas, console.components.schemas),
      responses: completed(responses, console.components.responses)
    }
  }
}

/** With those that it does not have, at the end. */
const completed = (own: Record<string, object>, others: Record<string, object>) => ({
  ...own,
  ...Object.fromEntries(Object.entries(others).filter(([name]) => !(name in own)))
})

if (process.argv[1] === import.meta.filename) await writeClientTypes()
