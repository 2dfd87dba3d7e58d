/** One for each time; null where a value is missing. */
export type Values = readonly (number | null)[]

export const sum = (values: Values) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** To a number whose half is round as well, so that the scale reads well and seldom changes. */
export function roundUp(value: number) {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = power === 1 ? [1, 2, 4, 6, 8] : [1, 1.2, 1.6, 2, 3, 4, 6, 8]
  return power * (steps.find((step) => step * power >= value) ?? 10)
}

/**
 * The `d` of a line from edge to edge, 100 high, with gaps where values are missing. A single value
 * is a dot.
 */
export function line(values: Values, highest: number) {
  const step = values.length / Math.max(1, values.length - 1)
  let isInterrupted = true
  return values
    .map((value, index) => {
      if (value === null) {
        isInterrupted = true
        return ''
      }
      const at = `${index * step} ${100 - (value / highest) * 100}`
      const command = isInterrupted ? `M${at}h0` : `L${at}`
      isInterrupted = false
      return command
    })
    .join('')
}

/** The last value before each gap: as dots, single values can be seen. */
export const endsOf = (values: Values): Values =>
  values.map((value, index) => ((values[index + 1] ?? null) === null ? value : null))

/** The `d` of the bars of a series, 100 high, stacked on those of the series below. */
export const bars = (values: Values, below: readonly Values[], highest: number) =>
  values
    .map((value, index) => {
      if (!value) return ''
      const bottom = 100 - (sum(below.map((each) => each[index] ?? 0)) / highest) * 100
      return `M${index + 0.1} ${bottom}h.8v${(-value / highest) * 100}h-.8z`
    })
    .join('')
