/** Undefined where the user blocks the storage of sites, for which browsers throw an error. */
export function ifAllowed<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
