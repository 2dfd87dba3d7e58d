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
 * Returns a function that asks the hook, and throws `registration-refused`, or `hook-failed` if the
 * hook does not say whether it allows the registration. No transaction is open meanwhile.
 * @param onFailure called with the reason why it did not
 */
export function registrationHook(
  { beforeRegister, onFailure: choice = 'refuse' }: Hooks,
  onFailure: (error: unknown) => void
) {
  if (!beforeRegister) return undefined
  const ask = async (registering: Registering) => {
    const late = sleep(withSlack(limit), 'late' as const, { ref: false })
    const result = await Promise.race([beforeRegister(registering), late])
    if (result === 'late') throw new Error(`The hook took more than ${limit} ms`)
    if (typeof (result as { allow?: unknown } | undefined)?.allow === 'boolean') return result
    throw new Error('The hook did not return { allow: true } or { allow: false }')
  }
  return async (registering: Registering): Promise<void> => {
    const { allow, detail } = await ask(registering).catch((error: unknown) => {
      onFailure(error)
      if (choice === 'allow') return { allow: true, detail: undefined }
      throw new DomainError('hook-failed', { retryAfter: 1 })
    })
    if (allow) return
    // Clients show it as it is.
    throw new DomainError(
      'registration-refused',
      Value.Check(problemDetail, detail) ? { detail } : {}
    )
  }
}
