import type { Static } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { showProvider } from '../../../src/domain/providers/provider.ts'
import { fixedJson } from '../../../src/http/fixed-response.ts'
import { SignInOptions } from '../../../src/schemas/emails.ts'
import { ifNoneMatch } from '../../../src/schemas/lists.ts'
import { headers, ref, unchanged } from '../../../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/options', {
    config: { access: 'public', tag: 'auth', order: 10 },
    schema: {
      operationId: 'getSignInOptions',
      summary: 'Get the sign-in options',
      description:
        'Returns the settings that an app needs to show its pages for registration, sign-in ' +
        'and recovery. They depend on the configuration only.',
      headers: ifNoneMatch,
      response: {
        200: ref(SignInOptions, 'The options of this portal', headers.contentTag),
        304: unchanged
      }
    },
    handler: fixedJson(() => {
      const { config, context } = app
      return {
        registration: config.REGISTRATION,
        emailVerification: context.mail?.verification ?? ('off' as const),
        providers: context.providers.filter(({ listed }) => listed).map(showProvider),
        providersByDomain: context.providers.some(({ domains }) => domains.length > 0),
        passwordReset: context.mail !== undefined,
        passwordMinLength: config.PASSWORD_MIN_LENGTH,
        deletionGraceDays: context.graceDays,
        passkeys: context.passkeys !== undefined,
        accountUrl: config.ACCOUNT_URL ?? null
      } satisfies Static<typeof SignInOptions>
    })
  })
}) satisfies FastifyPluginAsyncTypebox
