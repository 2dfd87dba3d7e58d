import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { openCursor, sealCursor } from '../src/http/cursors.ts'
import { invalidCursor } from '../src/http/refusals.ts'
import type { Page } from '../src/domain/pages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The position that the cursor of the query names, if there is one. Throws `invalid-cursor`. */
    position(): unknown[] | undefined
  }
  interface FastifyReply {
    /** The page as it is sent, and the Link to the next one (RFC 8288). */
    page<T>(page: Page<T>): { items: T[]; nextCursor: string | null }
  }
}

type Query = Record<string, unknown>

/** Cursors: a position sealed for the list, the filters, the order and the caller it was made for. */
export default fp(
  async (app) => {
    const { SECRET_KEYS: keys } = app.config

    app.decorateRequest('position', function () {
      const { cursor } = this.query as Query
      if (typeof cursor !== 'string') return undefined
      const position = openCursor(keys, scopeOf(this), cursor)
      if (!position) throw invalidCursor()
      return position
    })
    app.decorateReply('page', function ({ items, next }) {
      if (!next) return { items, nextCursor: null }
      const nextCursor = sealCursor(keys, scopeOf(this.request), next)
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries({
        ...(this.request.query as Query),
        cursor: nextCursor
      })) {
        query.set(name, String(value))
      }
      this.header('link', `<${this.request.routeOptions.url}?${query}>; rel="next"`)
      return { items, nextCursor }
    })
  },
  { name: 'pages', dependencies: ['auth', 'config'] }
)

/** How many are asked for may change on the way; everything else is what the position is a position in. */
function scopeOf(request: FastifyRequest) {
  const { cursor, limit, ...filters } = request.query as Query
  return JSON.stringify([
    request.routeOptions.url,
    request.principal?.user.id,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  ])
}
