/** Items of a list as a file for spreadsheets (RFC 4180), with a mark that it is UTF-8. */
export function csvOf(items: readonly object[]) {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const rows = items.map((item) => names.map((name) => (item as Record<string, unknown>)[name]))
  return `\uFEFF${[names, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`
}

function cellOf(value: unknown) {
  const text = typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '')
  // Spreadsheets take such a text for a formula (OWASP, CSV Injection).
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
