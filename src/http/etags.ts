import type { FastifySchema } from 'fastify'
import { sha256 } from '../domain/crypto.ts'
import { headers } from '../schemas/primitives.ts'

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
  return header
    .split(',')
    .flatMap((tag) => /^\s*"([^"]*?)(?:-[\w-]{12})?"\s*$/.exec(tag)?.[1] ?? [])
}

/** Whether an If-None-Match header names this revision (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, revision: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}

/** The tag of a response: what changes are based on, and what tells its content from any other. */
export const contentTag = (revision: string, content: string) =>
  `${revision}-${sha256(content).toString('base64url').slice(0, 12)}`

/** Whether the responses of a route have a revision, so that they get tags of their contents. */
export function hasRevision(schema: FastifySchema | undefined): boolean {
  const { 200: read, 201: created } = (schema?.response ?? {}) as Record<
    number,
    { headers?: { etag?: object } } | undefined
  >
  return (read ?? created)?.headers?.etag === headers.etag.etag
}
