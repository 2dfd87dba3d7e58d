import type { TSchema } from '@sinclair/typebox'
import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']>
type Schemas = Parameters<ReturnType<typeof AjvCompiler>>[0]
/** What Fastify hands to a compiler; the package's types show the schema alone. */
interface RoutePart { schema: object, httpPart?: string }

const build = AjvCompiler()
const rules = { removeAdditional: false, useDefaults: true, allErrors: false, verbose: true, allowUnionTypes: true } as const

/** Bodies are taken as they are; in a query and a path everything is text, and becomes what its schema says. */
export const buildValidator = ((schemas: Schemas) => {
  const exact = build(schemas, { customOptions: { ...rules, coerceTypes: false } })
  const coercing = build(schemas, { customOptions: { ...rules, coerceTypes: true } })
  return (part: RoutePart) => (part.httpPart === 'body' ? exact : coercing)(part)
}) as unknown as Factory

interface Validate { (value: unknown): boolean, errors?: unknown[] | null }

/** A validator of what would be a body, for input that comes another way. */
export const compileBody = (schema: TSchema, components: TSchema[]) =>
  build(Object.fromEntries(components.map((component) => [component.$id, component])), { customOptions: { ...rules, coerceTypes: false } })({ schema } as never) as Validate
