import { idAt } from '../domain/crypto.ts'
import type { Registering } from '../domain/sign-in/context.ts'
import type { Sender } from '../domain/webhooks/delivery.ts'
import { signedHeaders } from '../domain/webhooks/signature.ts'

/** Milliseconds. */
const limit = 1000

/**
 * A hook that asks REGISTER_HOOK, with a message that is signed like a webhook. The response is
 * `{ "allow": true }`, or `{ "allow": false, "reason": "…" }` with words for people.
 */
export function urlHook(sender: Sender, url: string, secret: string) {
  return async (registering: Registering): Promise<{ allow: boolean; detail?: string }> => {
    const now = new Date()
    const message = { type: 'registration', timestamp: now.toISOString(), data: registering }
    const body = JSON.stringify(message)
    const signed = signedHeaders([secret], `msg_${idAt(now)}`, body)
    const headers = { 'content-type': 'application/json', ...signed }
    const { error, body: text = '' } = await sender.post(url, headers, body, limit)
    if (error !== undefined) throw new Error(`REGISTER_HOOK has failed: ${error}`)
    const { allow, reason } = JSON.parse(text) as { allow: boolean; reason?: string }
    return { allow, ...(reason !== undefined && { detail: reason }) }
  }
}
