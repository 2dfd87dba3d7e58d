import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/domain-error.ts'
import type { Page } from '../src/domain/keyset.ts'
import { openCursor, sealCursor } from '../src/http/cursors.ts'
import { cursorScope, nextLink, pathOf } from '../src/http/list-links.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The position in the cursor of the query, if there is one. Throws `invalid-cursor`. */
    cursorPosition(): unknown[] | undefined
  }
  interface FastifyReply {
    /** Prepares a page for the response and sets the Link header to the next one. */
    page<T>(page: Page<T>): { items: T[]; nextCursor: string | null }
  }
}

export default fp(
  async (app) => {
    const { SECRET_KEYS: keys } = app.config
    const queryOf = ({ query }: FastifyRequest) => query as Record<string, unknown>
    const scopeOf = (request: FastifyRequest) =>
      cursorScope(pathOf(request), request.principal?.user.id, queryOf(request))

    app.decorateRequest('cursorPosition', function () {
      const { cursor } = queryOf(this)
      if (typeof cursor !== 'string') return undefined
      const position = openCursor(keys, scopeOf(this), cursor)
      if (!position) throw new DomainError('invalid-cursor')
      return position
    })
    app.decorateReply('page', function ({ items, next }) {
      if (!next) return { items, nextCursor: null }
      const nextCursor = sealCursor(keys, scopeOf(this.request), next)
      this.header('link', nextLink(pathOf(this.request), queryOf(this.request), nextCursor))
      return { items, nextCursor }
    })
  },
  { name: 'lists', dependencies: ['auth', 'config'] }
)
