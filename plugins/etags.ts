import fp from 'fastify-plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSafe } from '../src/http/methods.ts'
import { contentTag, hasRevision, ifMatchRevisions, matchesIfNoneMatch } from '../src/http/etags.ts'

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
 * A read with the tag of its response gets 304. Not @fastify/etag, which compares If-None-Match as
 * one text, without lists and `*`, and tags errors.
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
    app.addHook('onRoute', function addContentTags(route) {
      // First, because for HEAD Fastify removes the content in a hook of the route.
      if (hasRevision(route.schema)) route.onSend = [tagContent, ...[route.onSend ?? []].flat()]
    })
  },
  { name: 'etags' }
)

/**
 * Adds the content to the tag: a revision says what a change is based on, and stays when a default,
 * the name of a role or the last sign-in changes.
 */
async function tagContent(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const revision = reply.getHeader('etag')
  if (reply.statusCode >= 300 || typeof revision !== 'string') return payload
  const tag = contentTag(revision.slice(1, -1), String(payload))
  reply.header('etag', `"${tag}"`)
  if (!isSafe(request.method) || !request.matchesIfNoneMatch(tag)) return payload
  reply.code(304).removeHeader('content-type')
  return request.method === 'HEAD' ? payload : null
}
