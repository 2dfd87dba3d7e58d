import { Type } from '@sinclair/typebox'
import { closed, integer, text } from './primitives.ts'
import { serviceKeyForm } from '../../db/schema/services.ts'
import { scopeForm } from '../../db/schema/scopes.ts'
import { PermissionKey } from './roles.ts'
import { ScopeKey } from './scopes.ts'

const keys = '^[a-z0-9:-]+( [a-z0-9:-]+)*$|^$'
const id = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

export const checkQuery = closed({
  permission: Type.Optional(
    Type.Array(PermissionKey, {
      maxItems: 10,
      description: 'Permissions that the caller must have; may be repeated'
    })
  ),
  scope: Type.Optional({
    ...ScopeKey,
    description: 'Scope in which the caller must have the permissions, or a role if none is named'
  }),
  assurance: Type.Optional(
    integer(1, 2, 'Number of factors that must have been proved in the session', { examples: [2] })
  ),
  maxAge: Type.Optional(
    integer(1, 86_400, 'Maximum number of seconds since the user last authenticated', {
      examples: [600]
    })
  ),
  accept: Type.Optional(
    Type.Literal('key', {
      description: 'Admits API keys as well; without it they count as nothing'
    })
  ),
  audience: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      description: 'Service that an assertion is for: one of ASSERTION_AUDIENCES',
      examples: ['invoices']
    })
  )
})

const method = (description: string) =>
  Type.Optional(text(100, { description, examples: ['POST'] }))

/** Not validated here: a missing or malformed method has a refusal of its own. */
export const checkHeaders = Type.Object({
  'x-original-method': method('Method of the original request, in capitals'),
  'x-forwarded-method': method('Alternative to X-Original-Method, which some proxies send')
})

const header = (description: string, maxLength: number, pattern: string) => ({
  type: 'string',
  description,
  maxLength,
  pattern
})

export const checkRefusal = {
  'Portal-Problem': header(
    'The problem document in ASCII; left out above 2,000 bytes',
    2000,
    '^\\{[ -~]*\\}$'
  )
}

export const checkAnswer = {
  'Portal-User': header('User id; not for the key of a service', 36, id),
  'Portal-Service': header('Key of the service, instead of Portal-User', 64, serviceKeyForm.source),
  'Portal-Key': header('Id of the API key, instead of Portal-Session', 36, id),
  'Portal-Session': header('Session id', 36, id),
  'Portal-Scope': header(
    'The scope of the query: the roles and permissions are those everywhere and in it',
    81,
    scopeForm.source
  ),
  'Portal-Roles': header(
    'Keys of the roles that count, separated by spaces; left out above 1,000 bytes',
    1000,
    keys
  ),
  'Portal-Roles-Omitted': header('`true` if the roles are left out', 4, '^true$'),
  'Portal-Permissions': header(
    'Keys of the permissions, separated by spaces; left out above 3,000 bytes',
    3000,
    keys
  ),
  'Portal-Permissions-Omitted': header('`true` if the permissions are left out', 4, '^true$'),
  'Portal-Assurance': header('Number of factors that were proved', 1, '^[12]$'),
  'Portal-Assertion': header(
    'Signed statement for the service in `audience`, valid for 60 seconds (JWT, ES256)',
    8000,
    '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'
  )
}
