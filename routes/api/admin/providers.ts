import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireProvider } from '../../../src/domain/accounts/provider-flows.ts'
import { examineProvider } from '../../../src/domain/providers/examination.ts'
import { configuredProvider } from '../../../src/http/provider-flow.ts'
import { closed, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { ConfiguredProviders, ProviderCheck, ProviderKey } from '../../../src/schemas/providers.ts'

const config = { access: { permission: 'activity:read' }, tag: 'operations' } as const

export default (async (app) => {
  app.get('/providers', {
    config,
    schema: {
      operationId: 'listProviders',
      summary: 'List the providers',
      description: 'Returns the providers that users can sign in with, without their secrets.',
      response: { 200: ref(ConfiguredProviders, 'All providers') }
    },
    handler: async () => ({
      items: app.context.providers.map(configuredProvider(app.config.PUBLIC_ORIGIN))
    })
  })

  app.post('/providers/:key/check', {
    config: { ...config, changesNothing: true },
    schema: {
      operationId: 'checkProvider',
      summary: 'Check a provider',
      description:
        'Reads what the provider publishes, and lets it refuse a code, which shows whether it ' +
        'accepts the client id and the client secret. Checks at the same time share a result.',
      params: closed({ key: ProviderKey }),
      response: {
        200: ref(ProviderCheck, 'What would keep users from signing in'),
        404: problem('There is no provider with this key', 'unknown-provider')
      }
    },
    handler: async (request) => {
      const provider = requireProvider(app.context, request.params.key)
      const { faults } = await examineProvider(app.context, provider)
      return {
        faults: faults.map(({ reason, words }) => ({ reason, message: `The provider ${words}.` }))
      }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
