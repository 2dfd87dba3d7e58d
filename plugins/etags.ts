import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** The revisions that If-Match accepts; undefined without the header, and for `*`. */
    expected(): string[] | undefined
    /** Whether If-None-Match names this revision: the caller has it. */
    knows(revision: string): boolean
  }
  interface FastifyReply {
    /** Sends the row with its revision as a strong ETag (RFC 9110). */
    tagged<T extends { revision: string }>(row: T): T
  }
}

/** Optimistic concurrency: what was read has a tag, and a change may say which one it means to change. */
export default fp(
  async (app) => {
    app.decorateRequest('expected', function () {
      const header = this.headers['if-match']
      if (header === undefined || header.trim() === '*') return undefined
      // A weak tag (W/"…") and what is no tag match nothing.
      return header.split(',').flatMap((tag) => /^\s*"([^"]*)"\s*$/.exec(tag)?.[1] ?? [])
    })
    app.decorateRequest('knows', function (revision) {
      const tags = (this.headers['if-none-match'] ?? '')
        .split(',')
        .map((tag) => tag.trim().replace(/^W\//, ''))
      return tags.includes(`"${revision}"`) || tags.includes('*')
    })
    app.decorateReply('tagged', function (row) {
      this.header('etag', `"${row.revision}"`)
      return row
    })
  },
  { name: 'etags' }
)
