import type { Intent } from '../../../db/schema/provider-accounts.ts'
import { randomText } from '../crypto.ts'
import type { Sealing } from '../sealing.ts'

/** Seconds for which a flow is valid. Also the lifetime of its cookie. */
export const flowSeconds = 600
/** Maximum number of flows of one browser, one for each tab. */
export const mostFlows = 3
const nameLength = 8

/** Values of one attempt that only this browser and the portal know. */
export interface FlowSecrets {
  state: string
  nonce: string
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string
}

/**
 * A way through a provider that has begun in this browser. It is in a sealed cookie and nowhere
 * else: anybody can begin any number.
 */
export interface Flow extends FlowSecrets {
  provider: string
  intent: Intent
  returnTo: string
  errorTo: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** For `link` and `reauthenticate`: who began it, in which session. */
  owner?: { userId: string; sessionId: string }
  /** For `sign-in`: whether to restore an account whose deletion is planned. */
  restore?: boolean
  /** For `confirm`: the token of the link. */
  token?: string
}

export const newSecrets = (): FlowSecrets => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText()
})

/** The end of the name of its cookie, so that several tabs do not overwrite each other's. */
export const flowName = (state: string) => state.slice(0, nameLength)
export const flowNameForm = /^[A-Za-z0-9_-]{8}$/

/** The content of the cookie, which opens under this name only. */
export const sealFlow = (sealing: Sealing, flow: Flow): string =>
  sealing
    .seal('flow', flowName(flow.state), Buffer.from(JSON.stringify(flow)))
    .toString('base64url')

/** Undefined for a cookie that was changed, or is of another name. It may have expired. */
export function openFlow(sealing: Sealing, name: string, content: string): Flow | undefined {
  const sealed = Buffer.from(content, 'base64url')
  const plain = sealing.open('flow', name, sealed)
  return plain && (JSON.parse(plain.toString()) as Flow)
}
