import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a form instead of JSON. */
    form?: true
  }
}

export const formType = 'application/x-www-form-urlencoded'

/**
 * Lets the routes of a scope take forms, and nothing else: providers send them. A name that is
 * repeated becomes a list, which no schema accepts.
 */
export function addFormParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    formType,
    { parseAs: 'string' },
    async (_request: unknown, body: string) => {
      const fields = new Map<string, string | string[]>()
      for (const [name, value] of new URLSearchParams(body)) {
        const known = fields.get(name)
        fields.set(name, known === undefined ? value : [known, value].flat())
      }
      return Object.fromEntries(fields)
    }
  )
}
