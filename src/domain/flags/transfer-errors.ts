import { DomainError, invalidFields } from '../domain-error.ts'
import type { FieldError } from '../domain-error.ts'

/**
 * Prepares every item of a list in a file, each key once. Throws a refusal that lists the errors of
 * all of them, with pointers such as `/flags/0/key`.
 */
export async function checkEach<T extends { key: string }, R>(
  list: 'flags' | 'segments',
  items: readonly T[],
  prepare: (item: T) => Promise<R>
): Promise<R[]> {
  const errors: FieldError[] = []
  const prepared: R[] = []
  const seen = new Set<string>()
  for (const [n, item] of items.entries()) {
    try {
      if (seen.has(item.key)) {
        const message = 'An earlier one has this key'
        throw invalidFields({ pointer: '/key', code: 'repeated', message })
      }
      seen.add(item.key)
      prepared.push(await prepare(item))
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error
      for (const each of error.errors) {
        errors.push({ ...each, pointer: `/${list}/${n}${each.pointer}` })
      }
    }
  }
  if (errors.length > 0) throw invalidFields(...errors)
  return prepared
}
