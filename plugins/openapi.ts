import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { Access } from '../src/domain/permissions.ts'
import { passingProblem, problem } from '../src/schemas/problem.ts'
import { version } from '../src/version.ts'

const tags = [
  { name: 'auth', description: 'Register, sign in, sign out' },
  { name: 'user', description: "One's own profile, settings, sessions and activity" },
  {
    name: 'flags',
    description: 'Feature flags by the OpenFeature Remote Evaluation Protocol (OFREP)'
  },
  { name: 'operations', description: 'For load balancers and tools' }
]
const adminTags = [
  { name: 'users', description: 'All users and their roles' },
  { name: 'roles', description: 'Sets of permissions that users are given' },
  { name: 'permissions', description: 'What the portal and the app ask for' },
  { name: 'sessions', description: 'All sessions' },
  { name: 'activity', description: 'What happened: the audit trail' }
]

/** The document is made from the routes: what each declares, and what every route of its kind can answer besides. */
export default fp(
  async (app) => {
    const { config } = app
    // Relative to where the document is: right on every host, and behind every proxy.
    const server = {
      url: '/',
      description: `${config.development ? 'local development' : 'production'}: the portal that serves this document`,
      'x-internal': config.development
    }
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.1',
        info: {
          title: 'portal',
          version,
          description:
            'Sign-in, sessions, permissions, user settings and feature flags for a single-page app.',
          license: { name: 'MIT', identifier: 'MIT' }
        },
        servers: [server],
        tags: (config.development ? [...tags, ...adminTags] : tags).toSorted((a, b) =>
          a.name < b.name ? -1 : 1
        ),
        components: {
          securitySchemes: {
            session: {
              type: 'apiKey',
              in: 'cookie',
              name: config.development ? 'portal_session' : '__Host-portal_session',
              description:
                'The signed token of a session, set by login. Never sent in a body, a header of its own or an address.'
            }
          }
        }
      },
      refResolver: {
        buildLocalReference: (json, _base, _fragment, i) =>
          typeof json.$id === 'string' ? json.$id : `def-${i}`
      },
      transform: ({ schema, url, route }) => ({
        url,
        schema: schema?.hide
          ? schema
          : complete(schema ?? {}, String(route.method), route.config ?? {})
      })
    })
  },
  { name: 'openapi', dependencies: ['config', 'schemas'] }
)

function complete(
  schema: FastifySchema,
  method: string,
  { access, probe }: FastifyContextConfig
): FastifySchema {
  const writes = !['GET', 'HEAD'].includes(method)
  const implied = {
    400: problem('The request is not what is asked for; `errors` says where, when it is a field'),
    414: problem('The address is too long'),
    431: problem('The headers are too many or too large'),
    500: problem('The portal failed'),
    ...(!probe && {
      421: problem('The Host header is no name of the portal'),
      429: passingProblem('Too many tries; Retry-After says when there is room for the next')
    }),
    ...(writes && {
      403: problem(''),
      408: problem('The request took too long to arrive'),
      413: problem('The body is too large'),
      415: problem('The body is not application/json')
    }),
    ...(signedIn(access) && { 401: problem('Nobody is signed in') }),
    ...(typeof access === 'object' && {
      403: problem(`The permission ${access.permission} is missing`)
    }),
    ...((writes || signedIn(access)) && {
      503: passingProblem(
        'The database does not answer, or too much is asked at once; Retry-After says when to try again'
      )
    })
  }
  const response: Record<string, { description?: string }> = {
    ...implied,
    ...(schema.response as object)
  }
  if (writes) {
    const { description, ...others } = response[403] ?? {}
    response[403] = {
      ...others,
      description: description
        ? `${description}; or a page of another site sent it`
        : 'A page of another site sent it'
    }
  }
  return {
    ...schema,
    response,
    security: signedIn(access)
      ? [{ session: [] }]
      : access === 'optional'
        ? [{}, { session: [] }]
        : [],
    'x-access': typeof access === 'object' ? access.permission : access
  } as FastifySchema
}

const signedIn = (access: Access | undefined) => access === 'session' || typeof access === 'object'
