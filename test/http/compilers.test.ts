import AjvCompiler from '@fastify/ajv-compiler'
import SerializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { AnySchema } from 'ajv'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { customOptions } from '../../src/http/validation.ts'

// The application compiles a schema when it is first used. A mistake must not wait until then.

interface Part {
  name: string
  schema: object
  response: boolean
}

t.test('every schema of every route compiles', async (t) => {
  const config = loadConfig({
    NODE_ENV: 'development',
    DATABASE_URL: 'pglite:memory',
    LOG_LEVEL: 'silent'
  })
  const app = buildApp(config, { documentOnly: true })
  t.teardown(() => app.close())
  // Many routes share a schema, such as that of a refusal.
  const parts = new Map<string, Part>()
  const add = (part: Part) => parts.set(JSON.stringify([part.response, part.schema]), part)
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    for (const part of ['body', 'querystring', 'params', 'headers'] as const) {
      const found = schema[part] as object | undefined
      if (found) add({ name: `${part} of ${method} ${url}`, schema: found, response: false })
    }
    for (const [status, found] of Object.entries(schema.response ?? {})) {
      add({ name: `${status} of ${method} ${url}`, schema: found as object, response: true })
    }
  })
  await app.ready()

  const validator = AjvCompiler()(app.getSchemas() as Record<string, AnySchema>, { customOptions })
  const serializer = SerializerCompiler()(app.getSchemas())
  for (const { name, schema, response } of parts.values()) {
    t.doesNotThrow(() => (response ? serializer : validator)({ schema } as never), name)
  }
  t.ok(parts.size > 80, `${parts.size} schemas`)
})
