import type { Provider } from '../../../src/domain/providers/provider.ts'
import type { startApple } from './apple.ts'
import type { startEntra } from './entra.ts'
import type { startGithub } from './github.ts'
import type { TestProvider } from './oidc.ts'

type Started<T extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>

/** The settings of providers unless a test says otherwise. */
export const plain = {
  trustsEmail: 'never',
  domains: [],
  required: false,
  listed: true,
  creates: 'registration',
  assurance: { amr: [], acr: [] }
} as const

/** Test providers as the configuration would name them, with these changes. */
export const configured = {
  oidc: ({ issuer, client }: TestProvider, changes: Partial<Provider> = {}): Provider => ({
    ...plain,
    key: 'acme',
    kind: 'oidc',
    name: 'Acme',
    issuer,
    clientId: client.id,
    credential: { secret: client.secret },
    ...changes
  }),
  github: ({ client, endpoints }: Started<typeof startGithub>): Provider => ({
    ...plain,
    key: 'github',
    kind: 'github',
    name: 'GitHub',
    issuer: 'https://github.com',
    clientId: client.id,
    credential: { secret: client.secret },
    endpoints
  }),
  entra: (
    { issuer, client }: Started<typeof startEntra>,
    changes: Partial<Provider> = {}
  ): Provider => ({
    ...plain,
    key: 'entra',
    kind: 'microsoft',
    name: 'Microsoft',
    issuer,
    clientId: client.id,
    credential: { secret: client.secret },
    ...changes
  }),
  apple: ({ issuer, clientId, ...key }: Started<typeof startApple>): Provider => ({
    ...plain,
    key: 'apple',
    kind: 'apple',
    name: 'Apple',
    issuer,
    clientId,
    credential: { teamId: key.teamId, keyId: key.keyId, privateKey: key.privateKey }
  })
}
