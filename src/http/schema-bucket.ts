import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['bucket']>
type Schemas = Record<string, object>

/**
 * The shared schemas of a scope. Those of its parent are copied only when the scope adds one:
 * Fastify's own bucket copies them several times for each of some hundred scopes and routes, which
 * takes a tenth of a start.
 */
export const schemaBucket = ((inherited: Schemas = {}) => {
  let schemas = inherited
  let isOwn = false
  return {
    add(schema: { $id: string }) {
      if (schema.$id in schemas) throw new Error(`The schema ${schema.$id} exists already`)
      if (!isOwn) schemas = { ...schemas }
      isOwn = true
      schemas[schema.$id] = schema
    },
    getSchema: (id: string) => schemas[id],
    getSchemas() {
      isOwn = false
      return schemas
    }
  }
}) as unknown as Factory
