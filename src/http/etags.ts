/** The revisions that an If-Match header accepts; undefined without the header, and for `*`. */
export function ifMatchRevisions(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  // Weak tags (W/"…") match nothing (RFC 9110, 13.1.1), and neither does other text.
  return header.split(',').flatMap((tag) => /^\s*"([^"]*)"\s*$/.exec(tag)?.[1] ?? [])
}

/** Whether an If-None-Match header names this revision (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, revision: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}
