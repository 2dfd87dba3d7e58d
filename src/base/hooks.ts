import { Value } from '@sinclair/typebox/value'
import { setTimeout as sleep } from 'node:timers/promises'
import { withSlack } from '../../db/transaction.ts'
import { DomainError } from '../domain/errors.ts'
import type { Registering } from '../domain/sign-in/context.ts'
import type { Hooks } from './definition.ts'
import { problemDetail } from './faults.ts'

/** Milliseconds. */
const limit = 1000

/**
 * Returns a function that asks the hooks in turn, and throws `registration-refused`, or
 * `hook-failed` if a hook does not say whether it allows the registration. No transaction is open
 * meanwhile.
 * @param onFailure called with the reason why it did not
 */
export function registrationHook(hooks: readonly Hooks[], onFailure: (error: unknown) => void) {
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
