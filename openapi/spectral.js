import owasp from '@stoplight/spectral-owasp-ruleset'
import { oas } from '@stoplight/spectral-rulesets'

const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']))
const at = (...paths) =>
  paths.map(
    (path) => `*.json#/paths/${encodeURI(path).replaceAll('~', '~0').replaceAll('/', '~1')}`
  )

/** All rules of both rule sets, with these exceptions. */
export default {
  extends: [
    [oas, 'all'],
    [owasp.default ?? owasp, 'all']
  ],
  rules: off(
    'license-url', // the license has an SPDX identifier, and OpenAPI does not allow both
    // They are in the order in which a person needs them.
    'openapi-tags-alphabetical',
    'info-contact', // the contact is up to those who deploy the portal
    // It requires remaining counts in every response; Retry-After is enough.
    'owasp:api4:2023-rate-limit',
    // Only operations with a limit declare 429; the tests fail on an undeclared answer.
    'owasp:api4:2023-rate-limit-responses-429',
    // There are no CORS headers unless an operator lists origins.
    'owasp:api8:2023-define-cors-origin',
    // There is one kind of session; x-access names the permission of each operation.
    'owasp:api5:2023-admin-security-unique'
  ),
  overrides: [
    // For load balancers, tools and pages of sign-in, without an account.
    {
      files: at(
        '/health',
        '/health/live',
        '/openapi.json',
        '/.well-known/jwks.json',
        '/api/auth/options',
        '/api/auth/login/pending'
      ),
      rules: off('owasp:api2:2023-read-restricted', 'owasp:api8:2023-define-error-responses-401')
    },
    // Nobody has a session before they sign in, and logout must work with an invalid cookie.
    {
      files: at(
        '/api/auth/register',
        '/api/auth/confirm',
        '/api/auth/recovery',
        '/api/auth/recovery/confirm',
        '/api/auth/email/revert',
        '/api/auth/factors/revert',
        '/api/auth/keys/end',
        '/api/auth/mail-link',
        '/api/auth/login',
        '/api/auth/login/verify',
        '/api/auth/passkey',
        '/api/auth/passkey/options',
        '/api/auth/logout',
        '/api/auth/restore',
        '/api/auth/providers/find'
      ),
      rules: off('owasp:api2:2023-write-restricted', 'owasp:api8:2023-define-error-responses-401')
    },
    // A browser that comes back from a provider, and the provider itself, which signs its notices.
    // The page that leads on is HTML.
    {
      files: at(
        '/api/auth/providers/{key}/callback',
        '/api/auth/providers/{key}/finish',
        '/api/auth/providers/{key}/logout'
      ),
      rules: off(
        'owasp:api2:2023-read-restricted',
        'owasp:api2:2023-write-restricted',
        'owasp:api8:2023-define-error-responses-401',
        'owasp:api4:2023-string-restricted'
      )
    },
    // A JWT: what is none is refused like one that the provider has not signed.
    {
      files: ['*.json#/components/schemas/LogoutNotice/properties/logout_token'],
      rules: off('owasp:api4:2023-string-restricted')
    },
    // It has everything, and is sent while it is read.
    {
      files: ['sessions', 'keys', 'activity', 'mails'].map(
        (name) => `*.json#/components/schemas/DataExport/properties/${name}`
      ),
      rules: off('owasp:api4:2023-array-limit')
    },
    // A session is optional: public flags can be evaluated without one, and an app asks whether
    // there is one.
    {
      files: at('/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/{key}', '/api/auth/session'),
      rules: off('owasp:api8:2023-define-error-responses-401')
    },
    // An enum needs no bounds, and orval writes Zod schemas that fail when it has both.
    {
      files: ['CurrentSession', 'OwnSession', 'Session'].map(
        (name) => `*.json#/components/schemas/${name}/properties/assurance`
      ),
      rules: off('owasp:api4:2023-integer-limit')
    }
  ]
}
