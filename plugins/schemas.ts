import fp from 'fastify-plugin'
import { components } from '../src/schemas/components.ts'

/**
 * Adds the components that routes and the OpenAPI document reference; admin ones in development
 * only.
 */
export default fp(
  async (app) => {
    for (const schema of [
      ...components,
      ...(app.config.development ? await adminComponents() : [])
    ]) {
      app.addSchema(schema)
    }
  },
  { name: 'schemas', dependencies: ['config'] }
)

// A separate function, because the compiler would not rewrite the file name inside the plugin.
async function adminComponents() {
  return (await import('../src/schemas/admin.ts')).adminComponents
}
