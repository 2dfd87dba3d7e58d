import fp from 'fastify-plugin'
import { components } from '../src/schemas/components.ts'

/** Registers the components that routes refer to by name. The document shows those in use. */
export default fp(
  async (app) => {
    for (const schema of components) app.addSchema(schema)
  },
  { name: 'schemas' }
)
