/** Products of the numbers of lines beyond this would take too much memory. */
const largest = 20_000_000

/**
 * The lines that differ, each with `-` or `+`, in the order of the texts; the shortest list for
 * texts of usual length. Unchanged lines begin with a space.
 */
export function diffLines(before: readonly string[], after: readonly string[]): string[] {
  let [start, end] = [0, 0]
  const shorter = Math.min(before.length, after.length)
  while (start < shorter && before[start] === after[start]) start++
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const middle =
    removed.length * added.length > largest
      ? [...removed.map(minus), ...added.map(plus)]
      : shortest(removed, added)
  return [
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same)
  ]
}

const same = (line: string) => `  ${line}`
const minus = (line: string) => `- ${line}`
const plus = (line: string) => `+ ${line}`

/** By the longest common subsequence. */
function shortest(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1
  /** Length of the longest common subsequence of the rest of a and the rest of b. */
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [from, to] = [a[i], b[j]]
    if (from !== undefined && from === to) {
      lines.push(same(from))
      i++
      j++
    } else if (from !== undefined && (to === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(minus(from))
      i++
    } else if (to !== undefined) {
      lines.push(plus(to))
      j++
    }
  }
  return lines
}
