/** The same choices for the same seed (mulberry32), so that each sample is alike. */
export function createChance(seed: number) {
  let state = seed
  /** At least 0 and below `most`, a whole number. */
  const below = (most: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
  const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0]
  return { below, pick }
}

export type Chance = ReturnType<typeof createChance>
