import fp from 'fastify-plugin'
import type { AppDefinition } from '../src/base/definition.ts'
import { components } from '../src/schemas/components.ts'

/** Registers the components that routes refer to by name. The document shows those in use. */
export default fp(
  async (app) => {
    const { definition } = app.ownApp ?? {}
    const all = definition ? await componentsWith(definition) : components
    for (const schema of all) app.addSchema(schema)
    app.addHook('onRoute', function findSchemas({ method, url, schema }) {
      for (const name of referencesIn(schema)) {
        if (this.getSchema(name)) continue
        throw new Error(
          `${String(method)} ${url} refers to the schema ${name}: ` +
            'export it from a file of src/schemas, or add it with app.addSchema'
        )
      }
    })
  },
  { name: 'schemas', dependencies: ['config'] }
)

async function componentsWith(definition: AppDefinition) {
  const { withOwnWords } = await import('../src/base/components.ts')
  return withOwnWords(components, definition)
}

/** The names that the `$ref` of a schema and of its parts lead to. */
function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? value.split('#', 1) : referencesIn(value)
  )
}
