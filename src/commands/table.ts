import stringWidth from 'string-width'
import wrap from 'wrap-ansi'

const gap = '  '
/** Columns are not made narrower than this to fit the terminal. */
const narrowest = 8

const words = /\S+/g
/** A line may end within a word after these: `grace@`, `user.enrolment-`, `fields=name,`. */
const pieces = /[^\s@.,=/-]*[@.,=/-]+|[^\s@.,=/-]+/g

/**
 * The width of each column so that a row fits into `room` columns of the terminal. Columns are
 * wrapped between words if that is enough, else also after the punctuation in words, and else
 * anywhere. The widest column shrinks first; `rigid` columns, such as ids and times, never shrink.
 */
export function fit(rows: readonly string[][], rigid: readonly boolean[], room: number): number[] {
  const widths = rigid.map((_, column) => widest(rows.map((row) => row[column] ?? '')))
  const width = (column: number) => widths[column] ?? 0
  let excess = totalOf(widths) - room
  for (const parts of excess > 0 ? [words, pieces, undefined] : []) {
    const least = rigid.map((isRigid, column) =>
      isRigid
        ? Infinity
        : Math.max(
            narrowest,
            widest(parts ? rows.flatMap((row) => row[column]?.match(parts) ?? []) : [])
          )
    )
    for (; excess > 0; excess -= 1) {
      const shrinking = [...widths.keys()].filter((column) => width(column) > (least[column] ?? 0))
      if (shrinking.length === 0) break
      const first = shrinking.reduce((best, each) => (width(each) > width(best) ? each : best))
      widths[first] = width(first) - 1
    }
  }
  return widths
}

const widest = (texts: readonly string[]) =>
  texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0)

/** False when the rigid columns alone are too wide. */
export const fits = (widths: readonly number[], room: number) => totalOf(widths) <= room

const totalOf = (widths: readonly number[]) =>
  widths.reduce((sum, each) => sum + each + gap.length, -gap.length)

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

function wrapped(cell: string, width: number) {
  if (stringWidth(cell) <= width) return [cell]
  return wrap(broken(cell, width), width, { hard: true }).split('\n')
}

/** Breaks words that are too long for a line after their punctuation. */
const broken = (cell: string, width: number) =>
  cell
    .split(' ')
    .map((word) => {
      if (stringWidth(word) <= width) return word
      const lines = ['']
      for (const piece of word.match(pieces) ?? []) {
        const last = lines.at(-1) ?? ''
        if (last !== '' && stringWidth(last + piece) > width) lines.push(piece)
        else lines[lines.length - 1] = last + piece
      }
      return lines.join('\n')
    })
    .join(' ')

const pad = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)))
