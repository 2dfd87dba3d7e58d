export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Rounds up to a number whose half is also round, which keeps the axis stable. */
export function roundUp(value: number) {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = power === 1 ? [1, 2, 4, 6, 8] : [1, 1.2, 1.6, 2, 3, 4, 6, 8]
  return power * (steps.find((step) => step * power >= value) ?? 10)
}

/** The `d` of the bars of a series, 100 high, stacked on those of the series below. */
export const bars = (values: readonly number[], below: readonly number[][], highest: number) =>
  values
    .map((value, index) => {
      if (!value) return ''
      const bottom = 100 - (sum(below.map((each) => each[index] ?? 0)) / highest) * 100
      return `M${index + 0.1} ${bottom}h.8v${(-value / highest) * 100}h-.8z`
    })
    .join('')
