import { DomainError } from '../domain-error.ts'
import { revisionNotRestorable } from '../errors.ts'
import type { Missing } from './missing.ts'

/** Checks a definition that was valid when it was written. Throws `revision-not-restorable`. */
export async function restorable<T>(
  clean: () => Promise<T>,
  findMissing: () => Promise<Missing[]>
) {
  try {
    return await clean()
  } catch (error) {
    if (!(error instanceof DomainError && error.errors)) throw error
    throw revisionNotRestorable(detailOf(await findMissing()))
  }
}

function detailOf(missing: Missing[]) {
  const names = [...new Set(missing.map(({ what, key }) => `the ${what} ${key}`))]
  if (names.length === 0) return 'This version does not meet the rules of today.'
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `This version names ${names.slice(0, 3).join(', ')}${more}, which no longer exist.`
}
