/** Suggestions for a mistyped word: the words that contain it, else the most similar ones. */
export function nearest(text: string, words: readonly string[]): string[] {
  const containing = words.filter((word) => text.length > 2 && word.includes(text.toLowerCase()))
  if (containing.length > 0) return containing.slice(0, 5)
  const distances = words.map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word) }))
  const least = Math.min(...distances.map(({ distance }) => distance))
  const isClose = least <= Math.max(2, text.length / 3)
  return isClose ? distances.filter((each) => each.distance === least).map(({ word }) => word) : []
}

/** Letters to insert, remove or replace (Levenshtein). */
function distanceOf(one: string, other: string) {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [m, letter] of [...one].entries()) {
    const next = [m + 1]
    for (let n = 0; n < other.length; n++) {
      const replaced = (row[n] ?? 0) + (letter === other[n] ? 0 : 1)
      next.push(Math.min(replaced, (row[n + 1] ?? 0) + 1, (next[n] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
