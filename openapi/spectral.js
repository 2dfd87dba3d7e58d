import owasp from '@stoplight/spectral-owasp-ruleset'
import { oas } from '@stoplight/spectral-rulesets'

const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']))
const at = (...paths) =>
  paths.map(
    (path) => `*.json#/paths/${encodeURI(path).replaceAll('~', '~0').replaceAll('/', '~1')}`
  )

/** Everything that both rule sets know, but for these exceptions. */
export default {
  extends: [
    [oas, 'all'],
    [owasp.default ?? owasp, 'all']
  ],
  rules: off(
    'license-url', // the licence has its SPDX identifier, and OpenAPI allows only one of the two
    'info-contact', // the portal is run by those who deploy it: whom to ask is theirs to say
    'owasp:api4:2023-rate-limit', // it wants counts of what is left in every answer: Retry-After says when it matters
    'owasp:api8:2023-define-cors-origin', // there are no CORS headers unless an operator lists origins
    'owasp:api5:2023-admin-security-unique' // one kind of session for everybody; what each operation asks of it is in x-access
  ),
  overrides: [
    // Probes are never limited.
    {
      files: at('/health', '/health/live'),
      rules: off('owasp:api4:2023-rate-limit-responses-429')
    },
    // For load balancers and tools, which have no account.
    {
      files: at('/health', '/health/live', '/openapi.json'),
      rules: off('owasp:api2:2023-read-restricted', 'owasp:api8:2023-define-error-responses-401')
    },
    // What makes an account and a session cannot ask for one; signing out must work with a cookie that is no longer good.
    {
      files: at('/api/auth/register', '/api/auth/login', '/api/auth/logout'),
      rules: off('owasp:api2:2023-write-restricted', 'owasp:api8:2023-define-error-responses-401')
    },
    // Who is not signed in is told of public flags: there is nothing to answer 401 to.
    {
      files: at('/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/{key}'),
      rules: off('owasp:api8:2023-define-error-responses-401')
    }
  ]
}
