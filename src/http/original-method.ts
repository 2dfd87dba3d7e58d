import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '../domain/domain-error.ts'
import { isSafe } from './methods.ts'

const form = /^[A-Z]{3,20}$/

/**
 * Whether the original request, about which a proxy or a service asks, may change something. They
 * always ask with GET, so they must name the original method; of two, the one that changes
 * something counts. Throws `original-method-missing`, also for two headers of one name.
 */
export function isOriginalWriting(headers: IncomingHttpHeaders): boolean {
  const named = [headers['x-original-method'], headers['x-forwarded-method']].filter(
    (value) => value !== undefined
  )
  if (named.length === 0) throw new DomainError('original-method-missing')
  return named.some((method) => {
    if (typeof method !== 'string' || !form.test(method)) {
      throw new DomainError('original-method-missing')
    }
    return !isSafe(method)
  })
}
