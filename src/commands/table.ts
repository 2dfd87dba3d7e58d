import stringWidth from 'string-width'
import wrap from 'wrap-ansi'

const gap = '  '
/** Columns are not made narrower than this to fit the terminal. */
const narrowest = 8

/**
 * The width of each column so that a row fits into `room` columns of the terminal. The widest
 * column shrinks first; `rigid` columns, such as ids and times, never shrink.
 */
export function fit(rows: readonly string[][], rigid: readonly boolean[], room: number): number[] {
  const widths = rigid.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, stringWidth(row[column] ?? '')), 0)
  )
  const flexible = rigid.flatMap((isRigid, column) => (isRigid ? [] : [column]))
  const width = (column: number) => widths[column] ?? 0
  let excess = widths.reduce((sum, each) => sum + each + gap.length, -gap.length) - room
  for (; excess > 0; excess -= 1) {
    const widest = flexible.reduce(
      (best, column) => (width(column) > width(best) ? column : best),
      flexible[0] ?? 0
    )
    if (width(widest) <= narrowest || !flexible.includes(widest)) break
    widths[widest] = width(widest) - 1
  }
  return widths
}

/** False when the rigid columns alone are too wide. */
export const fits = (widths: readonly number[], room: number) =>
  widths.reduce((sum, each) => sum + each + gap.length, -gap.length) <= room

/** One row of cells as lines; a cell longer than its column continues on the next line. */
export function layOut(
  row: readonly string[],
  widths: readonly number[],
  wrapping: boolean
): string {
  const cells = row.map((cell, column) => (wrapping ? wrapped(cell, widths[column] ?? 0) : [cell]))
  const height = Math.max(...cells.map((lines) => lines.length))
  const line = (n: number) =>
    cells
      .map((lines, column) => pad(lines[n] ?? '', widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  return Array.from({ length: height }, (_, n) => `${line(n)}\n`).join('')
}

const wrapped = (cell: string, width: number) =>
  stringWidth(cell) <= width ? [cell] : wrap(cell, width, { hard: true }).split('\n')

const pad = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)))
