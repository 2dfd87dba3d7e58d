import type { IncomingMessage, ServerResponse } from 'node:http'
import { people } from './people.ts'
import { createProvider, newKey } from './provider.ts'

interface ExampleClient {
  issuer: string
  clientId: string
  secret: string
  /** The callback of the portal. */
  redirectUri: string
}

/** Resolves when the response was sent. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The provider of a development server, with a new key at each start. */
export async function createExample(client: ExampleClient): Promise<Respond> {
  const provider = createProvider({
    issuer: client.issuer,
    client: {
      client_id: client.clientId,
      client_secret: client.secret,
      redirect_uris: [client.redirectUri],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'client_secret_basic'
    },
    people,
    keys: [await newKey()]
  })
  return provider.callback()
}
