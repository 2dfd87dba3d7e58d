import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'
import { buildValidator } from '../src/http/validation.ts'

/** A validator or a serializer. Ajv leaves the errors of a call on the function. */
interface Compiled {
  (value: unknown): unknown
  errors?: unknown
}
type Build = (...options: unknown[]) => (part: unknown) => Compiled

/**
 * Compiles each schema of the application when it is first used. A test uses a few of them, and
 * compiling all takes longer than most tests. Call it before the application is ready.
 */
export function compileWhenUsed(app: FastifyInstance) {
  app.setSchemaController({
    compilersFactory: {
      buildValidator: lazily(buildValidator as Build) as typeof buildValidator,
      buildSerializer: lazily(SerializerSelector() as unknown as Build) as never
    }
  })
}

function lazily(build: Build): Build {
  return (...options) => {
    const compile = build(...options)
    return (part) => {
      let compiled: Compiled | undefined
      const run: Compiled = (value) => {
        compiled ??= compile(part)
        const result = compiled(value)
        run.errors = compiled.errors
        return result
      }
      return run
    }
  }
}
