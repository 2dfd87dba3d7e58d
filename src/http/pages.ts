type Query = Record<string, unknown>

/**
 * The scope of a cursor: a list with its filters, sort key and reader. The page size may change.
 */
export function cursorScope(
  url: string | undefined,
  userId: string | undefined,
  { cursor, limit, ...filters }: Query
): string {
  return JSON.stringify([url, userId, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** The Link header to the next page (RFC 8288). */
export function nextLink(url: string | undefined, query: Query, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    parameters.set(name, String(value))
  }
  return `<${url}?${parameters}>; rel="next"`
}
