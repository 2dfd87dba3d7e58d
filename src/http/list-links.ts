interface Located {
  routeOptions: { url?: string | undefined }
  params: unknown
}

/** The path of a list in one spelling: the pattern of its route with the parameters filled in. */
export const pathOf = ({ routeOptions: { url = '' }, params }: Located): string =>
  url.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name]))
  )

type Query = Record<string, unknown>

/**
 * The scope of a cursor: a list with its filters, sort key and reader. The page size may change.
 */
export function cursorScope(
  path: string,
  userId: string | undefined,
  { cursor, limit, ...filters }: Query
): string {
  return JSON.stringify([
    path,
    userId,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  ])
}

/** The Link header to the next page (RFC 8288). */
export function nextLink(path: string, query: Query, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    parameters.set(name, String(value))
  }
  return `<${path}?${parameters}>; rel="next"`
}
