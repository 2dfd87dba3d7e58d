import fp from 'fastify-plugin'
import { ifMatchRevisions, matchesIfNoneMatch } from '../src/http/etags.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The revisions that If-Match accepts; undefined when any will do. */
    ifMatchRevisions(): string[] | undefined
    /** Whether If-None-Match names this revision, so that the caller already has it. */
    matchesIfNoneMatch(revision: string): boolean
  }
  interface FastifyReply {
    /** Sends the row with its revision as ETag. */
    withEtag<T extends { revision: string }>(row: T): T
  }
}

/**
 * Optimistic concurrency: a response has a tag, and a change can name the tag on which it is based.
 * Not @fastify/etag, which compares If-None-Match as one text, without lists and `*`, and tags
 * errors.
 */
export default fp(
  async (app) => {
    app.decorateRequest('ifMatchRevisions', function () {
      return ifMatchRevisions(this.headers['if-match'], this.headers['if-none-match'])
    })
    app.decorateRequest('matchesIfNoneMatch', function (revision) {
      return matchesIfNoneMatch(this.headers['if-none-match'], revision)
    })
    app.decorateReply('withEtag', function (row) {
      this.header('etag', `"${row.revision}"`)
      return row
    })
  },
  { name: 'etags' }
)
