import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fixedJson } from '../src/http/fixed-response.ts'
import { ifNoneMatch } from '../src/schemas/lists.ts'
import { closed, tagged, unchanged } from '../src/schemas/primitives.ts'

const coordinate = Type.String({ maxLength: 43, pattern: '^[A-Za-z0-9_-]{43}$' })
const fixed = <const T extends string>(value: T) =>
  Type.Unsafe<T>({ type: 'string', enum: [value] })

const keySet = closed(
  {
    keys: Type.Array(
      closed({
        kty: fixed('EC'),
        crv: fixed('P-256'),
        x: coordinate,
        y: coordinate,
        kid: Type.String({ maxLength: 16, pattern: '^[a-z0-9-]+$', examples: ['k1'] }),
        alg: fixed('ES256'),
        use: fixed('sig')
      }),
      { minItems: 1, maxItems: 3 }
    )
  },
  { description: 'A JSON Web Key Set (RFC 7517)' }
)

export default (async (app) => {
  app.get('/.well-known/jwks.json', {
    config: { access: 'public', tag: 'operations' },
    schema: {
      operationId: 'getAssertionKeys',
      summary: 'Get the keys that verify assertions',
      description:
        'Public keys of the assertions that `checkSession` gives to services. Keys of ' +
        'SECRET_KEYS that are kept for a rotation are listed as well.',
      headers: ifNoneMatch,
      response: { 200: tagged(keySet), 304: unchanged }
    },
    // Until a new key signs, receivers have had time to read it again.
    handler: fixedJson(() => ({ keys: app.assertionKeys() }), 'public, max-age=300')
  })
}) satisfies FastifyPluginAsyncTypebox
