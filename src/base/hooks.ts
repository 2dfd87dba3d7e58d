import { Value } from '@sinclair/typebox/value'
import { setTimeout as sleep } from 'node:timers/promises'
import { withSlack } from '../../db/transaction.ts'
import { idAt } from '../domain/crypto.ts'
import { DomainError } from '../domain/errors.ts'
import type { Registering } from '../domain/sign-in/context.ts'
import type { Sender } from '../domain/webhooks/message.ts'
import { signedHeaders } from '../domain/webhooks/signature.ts'
import type { Hooks } from './definition.ts'
import { problemDetail } from './faults.ts'

/** Milliseconds. */
const limit = 1000

/**
 * Returns a function that asks the hooks in turn, and throws `registration-refused`, or
 * `hook-failed` if a hook does not say whether it allows the registration. No transaction is open
 * meanwhile. Undefined without a hook.
 * @param onFailure called with the reason why it did not
 */
export function registrationHook(all: (Hooks | undefined)[], onFailure: (error: unknown) => void) {
  const hooks = all.flatMap((each) => (each?.beforeRegister ? [each] : []))
  if (hooks.length === 0) return undefined
  const ask = async ({ beforeRegister }: Hooks, registering: Registering) => {
    const late = async () => {
      await sleep(withSlack(limit), undefined, { ref: false })
      throw new Error(`The hook took more than ${limit} ms`)
    }
    const result = await Promise.race([beforeRegister?.(registering), late()])
    if (typeof result?.allow === 'boolean') return result
    throw new Error('The hook did not return { allow: true } or { allow: false }')
  }
  return async (registering: Registering): Promise<void> => {
    for (const hook of hooks) {
      const { allow, detail } = await ask(hook, registering).catch((error: unknown) => {
        onFailure(error)
        if (hook.onFailure === 'allow') return { allow: true, detail: undefined }
        throw new DomainError('hook-failed', { retryAfter: 1 })
      })
      // Clients show the detail as it is.
      const more = Value.Check(problemDetail, detail) ? { detail } : {}
      if (!allow) throw new DomainError('registration-refused', more)
    }
  }
}

/**
 * A hook that asks REGISTER_HOOK, with a message that is signed like a webhook. The response is
 * `{ "allow": true }`, or `{ "allow": false, "reason": "…" }` with words for people.
 */
export const urlHook = (sender: Sender, url: string, secret: string): Hooks => ({
  async beforeRegister(registering) {
    const now = new Date()
    const message = { type: 'registration', timestamp: now.toISOString(), data: registering }
    const text = JSON.stringify(message)
    const signed = signedHeaders([secret], `msg_${idAt(now)}`, text)
    const headers = { 'content-type': 'application/json', ...signed }
    const { error, body = '' } = await sender.post(url, headers, text)
    if (error !== undefined) throw new Error(`REGISTER_HOOK has failed: ${error}`)
    const { allow, reason = '' } = JSON.parse(body) as { allow: boolean; reason?: string }
    return { allow, detail: reason }
  }
})
