import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { Access } from '../src/domain/permissions.ts'
import { problem } from '../src/schemas/problem.ts'

/** The document is made from the routes: what each declares, and what every route of its kind can answer besides. */
export default fp(async (app) => {
  const { config } = app
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'portal',
        version: '0.1.0',
        description: 'Sign-in, sessions, permissions and user settings for a single-page app.',
        license: { name: 'MIT', identifier: 'MIT' }
      },
      servers: [{ url: config.PUBLIC_ORIGIN }],
      tags: [
        { name: 'auth', description: 'Register, sign in, sign out' },
        { name: 'operations', description: 'For load balancers and tools' }
      ],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: config.development ? 'portal_session' : '__Host-portal_session',
            description: 'The signed token of a session, set by login. Never sent in a body, a header of its own or an address.'
          }
        }
      }
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => typeof json.$id === 'string' ? json.$id : `def-${i}` },
    transform: ({ schema, url, route }) => ({ url, schema: schema?.hide ? schema : complete(schema ?? {}, route.config?.access) })
  })
}, { name: 'openapi', dependencies: ['config', 'schemas'] })

function complete (schema: FastifySchema, access: Access | undefined): FastifySchema {
  const implied = {
    ...(schema.body !== undefined && {
      400: problem('The body is not JSON, or not what is asked for'),
      413: problem('The body is too large'),
      415: problem('The body is not application/json')
    }),
    ...(signedIn(access) && { 401: problem('Nobody is signed in') }),
    ...(typeof access === 'object' && { 403: problem(`The permission ${access.permission} is missing`) }),
    500: problem('The portal failed'),
    ...(signedIn(access) && { 503: problem('The database does not answer; Retry-After says when to try again') })
  }
  return {
    ...schema,
    response: { ...implied, ...(schema.response as object) },
    security: signedIn(access) ? [{ session: [] }] : access === 'optional' ? [{}, { session: [] }] : [],
    'x-access': typeof access === 'object' ? access.permission : access
  } as FastifySchema
}

const signedIn = (access: Access | undefined) => access === 'session' || typeof access === 'object'
