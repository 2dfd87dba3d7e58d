import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends 204 without a body. */
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
