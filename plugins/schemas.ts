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

const componentsWith = async (definition: AppDefinition) =>
  (await import('../src/base/components.ts')).withOwnWords(components, definition)

/** The names that the `$ref` of a schema and of its parts lead to. */
function referencesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names
  for (const [key, value] of Object.entries(part)) {
    if (key === '$ref' && typeof value === 'string') names.add(value.split('#', 1)[0] ?? '')
    else referencesIn(value, names)
  }
  return names
}
