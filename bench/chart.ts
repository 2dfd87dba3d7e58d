/**
 * Draws bars in the given order. The picture is for people; the figures are in the file beside it.
 */
export function chart(title: string, bars: { label: string; value: number }[]): string {
  const [left, width, height] = [190, 420, 30]
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ label, value }, i) => {
    const y = 50 + i * height
    const length = Math.max(1, Math.round((value / most) * width))
    return (
      `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${label}</text>` +
      `<rect x="${left}" y="${y}" width="${length}" height="20" rx="3" fill="${i === 0 ? '#2563eb' : '#94a3b8'}"/>` +
      `<text x="${left + length + 8}" y="${y + 14}">${value.toLocaleString('en')}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${60 + bars.length * height}" font-family="system-ui, sans-serif" font-size="13" fill="#334155" role="img" aria-label="${title}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="16" y="28" font-size="15" font-weight="600">${title}</text>
${rows.join('\n')}
</svg>
`
}
