import { errorCodes } from 'fastify'
import fp from 'fastify-plugin'

// Matched against the header as Fastify normalizes it, with parameter values in quotes.
const json = /^application\/(?:merge-patch\+)?json(?:; ?charset="?utf-8"?)?$/i

/**
 * The only body parser: JSON in UTF-8, also as a merge patch. Those of Fastify accept text/plain
 * and invalid UTF-8.
 */
export default fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error')
    const utf8 = new TextDecoder('utf-8', { fatal: true })

    app.removeAllContentTypeParsers()
    app.addContentTypeParser(json, { parseAs: 'buffer' }, (request, body, done) => {
      const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
      // Every PATCH is a merge patch (RFC 7396), whatever its body calls itself.
      const isPatch = request.method === 'PATCH'
      if (encoding !== undefined || (!isPatch && /^application\/merge/i.test(type))) {
        return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE())
      }
      if (body.length === 0) return done(null, undefined)
      let text: string
      try {
        text = utf8.decode(body as Buffer)
      } catch {
        return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
      }
      void parse(request, text, (error, value) =>
        done(error && new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY(), value)
      )
    })
  },
  { name: 'json' }
)
