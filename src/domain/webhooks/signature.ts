import type { EndpointRow } from '../../../db/schema/webhooks.ts'
import { hmac, randomBuffer } from '../crypto.ts'
import type { Sealing } from '../sealing.ts'

// Signatures of Standard Webhooks 1.0.

const prefix = 'whsec_'

export const newSecret = () => `${prefix}${randomBuffer(32).toString('base64')}`

/** The id of the endpoint is the context: in another row it does not open. */
export const sealSecret = (sealing: Sealing, endpointId: string, secret: string) =>
  sealing.seal('webhook', endpointId, Buffer.from(secret))

type WithSecrets = Pick<EndpointRow, 'id' | 'secret' | 'formerSecret' | 'formerUntil'>

/**
 * The secrets that sign now, newest first: two for a day after one was renewed. Without those that
 * no key opens.
 */
export function secretsOf(sealing: Sealing, endpoint: WithSecrets): string[] {
  const { id, secret, formerSecret, formerUntil } = endpoint
  const isValid = formerUntil !== null && formerUntil > new Date()
  return [secret, isValid ? formerSecret : null].flatMap((sealed) => {
    const plain = sealed && sealing.open('webhook', id, sealed)
    return plain ? [plain.toString()] : []
  })
}

/** The headers of a message. `id` is the same for each delivery of it. */
export function signedHeaders(secrets: readonly string[], id: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return hmac('sha256', key, `${id}.${timestamp}.${body}`).toString('base64')
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
  }
}
