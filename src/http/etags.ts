/**
 * The revisions that the headers of a change accept: undefined without If-Match, and for `*`.
 * `If-None-Match: *` accepts none, because what is changed exists (RFC 9110, 13.1.2).
 */
export function ifMatchRevisions(
  header: string | undefined,
  ifNoneMatch?: string
): string[] | undefined {
  if (ifNoneMatch?.trim() === '*') return []
  if (header === undefined || header.trim() === '*') return undefined
  // Weak tags (W/"…") match nothing (RFC 9110, 13.1.1), and neither does other text.
  return header.split(',').flatMap((tag) => /^\s*"([^"]*)"\s*$/.exec(tag)?.[1] ?? [])
}

/** Whether an If-None-Match header names this revision (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, revision: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}
