import { encode } from 'uqr'

/** Blank modules on each side (ISO/IEC 18004). */
const border = 4

/**
 * Draws a QR code as SVG: a background, and one path that draws each run of dark modules as a line.
 * It has no style or script, so that every content security policy allows it.
 */
export function drawQrCode(text: string): string {
  const { data, size } = encode(text, { border })
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}.5h${length}`))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>` +
    `<path stroke="#000" d="${runs.join('')}"/></svg>`
  )
}

/** Start and length of each run of dark modules. */
const runsOf = (row: boolean[]) =>
  row.flatMap((dark, x): [number, number][] => {
    if (!dark || row[x - 1]) return []
    const end = row.indexOf(false, x)
    return [[x, (end < 0 ? row.length : end) - x]]
  })
