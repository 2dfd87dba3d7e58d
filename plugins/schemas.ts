import fp from 'fastify-plugin'
import { Health, Unavailable } from '../src/schemas/health.ts'
import { Problem } from '../src/schemas/problem.ts'
import { CurrentSession, Registered, SignedIn } from '../src/schemas/sessions.ts'
import { Credentials, CurrentUser, Registration } from '../src/schemas/users.ts'

/** The components that routes and the OpenAPI document refer to by name. */
export default fp(async (app) => {
  for (const schema of [Problem, Health, Unavailable, CurrentUser, CurrentSession, SignedIn, Registered, Registration, Credentials]) app.addSchema(schema)
}, { name: 'schemas' })
