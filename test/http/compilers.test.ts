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
  const parts: Part[] = []
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    for (const part of ['body', 'querystring', 'params', 'headers'] as const) {
      const found = schema[part] as object | undefined
      if (found) parts.push({ name: `${part} of ${method} ${url}`, schema: found, response: false })
    }
    for (const [status, found] of Object.entries(schema.response ?? {})) {
      parts.push({ name: `${status} of ${method} ${url}`, schema: found as object, response: true })
    }
  })
  await app.ready()

  const validator = AjvCompiler()(app.getSchemas() as Record<string, AnySchema>, { customOptions })
  const serializer = SerializerCompiler()(app.getSchemas())
  // Many refusals are equal, and compiling one takes milliseconds.
  const different = new Map(
    parts.map((part) => [JSON.stringify([part.response, part.schema]), part])
  )
  const mistakes: string[] = []
  for (const { name, schema, response } of different.values()) {
    try {
      ;(response ? serializer : validator)({ schema } as never)
    } catch (error) {
      mistakes.push(`${name}: ${String(error)}`)
    }
  }
  t.same(mistakes, [])
  t.ok(different.size > 150, `${different.size} of ${parts.length} schemas`)
})
