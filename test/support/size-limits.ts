import type { Test } from 'tap'

/**
 * Fails if something is larger than its limit. From 95 % on it warns, and the runner repeats the
 * warning at the end, so that somebody makes room before a small change fails.
 */
export function withinLimit(
  t: Test,
  what: string,
  { size, limit }: Record<'size' | 'limit', number>
) {
  if (size > 0.95 * limit) {
    const share = ((100 * size) / limit).toFixed(1)
    t.comment(`WARNING: ${what} take ${size} of ${limit}, which is ${share} %`)
  }
  t.ok(size <= limit, `${what} take ${size} of ${limit}`)
}
