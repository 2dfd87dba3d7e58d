/**
 * A value that is created when it is first used. For formats of `Intl`: the first one of a tab
 * takes the browser some 20 milliseconds, and the sign-in pages need none.
 */
export function lazily<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}
