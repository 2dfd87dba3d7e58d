/** Undefined for what is not JSON, or is too large a number. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value === Infinity || value === -Infinity ? undefined : value
  } catch {
    return undefined
  }
}

/** Numbers, true and false, and texts in quotation marks are read as JSON; all else is text. */
export function valueOf(line: string): string | number | boolean {
  const value = parse(line)
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  return isScalar ? (value as string | number | boolean) : line
}
export function textOf(line: string): string {
  const value = valueOf(line)
  return typeof value === 'string' ? value : line
}
export const valuesOf = <T>(lines: string, read: (line: string) => T) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(read)
/** One value a line, so that `valuesOf` reads the same again. */
export const linesOf = <T extends string | number | boolean>(
  values: readonly T[],
  read: (line: string) => unknown
) =>
  values
    .map((value) => {
      const again = valuesOf(String(value), read)
      return again.length === 1 && again[0] === value ? String(value) : JSON.stringify(value)
    })
    .join('\n')
export const wordsOf = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

/** The sum of all weights, in thousandths of a percent. */
export const all = 100_000
export const percent = (weight: number) => String(weight / 1000)
export function weightOf(percent: string): number | undefined {
  const text = percent.trim().replace(',', '.')
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(text)) return undefined
  const weight = Math.round(Number(text) * 1000)
  return weight <= all ? weight : undefined
}
interface Share {
  percent: string
}

/** What is left for other variants; undefined while a share is not a number. */
export function restOf(shares: readonly Share[]): number | undefined {
  let rest = all
  for (const { percent } of shares) rest -= weightOf(percent) ?? NaN
  return Number.isNaN(rest) ? undefined : rest
}
/** Which share contains the bucket. */
export function shareAt<T extends Share>(shares: readonly T[], bucket: number) {
  let end = 0
  return shares.find(({ percent }) => bucket < (end += weightOf(percent) ?? 0))
}
