import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyReply {
    /** 204: done, and there is nothing to send. */
    noContent(): this
  }
}

export default fp(
  async (app) => {
    app.decorateReply('noContent', function () {
      return this.code(204).send()
    })
  },
  { name: 'no-content' }
)
