import fp from 'fastify-plugin'
import { components } from '../src/schemas/components.ts'

/** The components that routes and the OpenAPI document refer to by name; those of the admin API in development only. */
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

// A function of its own: inside of the plugin the compiler would leave the file's name as it is.
async function adminComponents() {
  return (await import('../src/schemas/admin.ts')).adminComponents
}
