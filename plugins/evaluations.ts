import fp from 'fastify-plugin'
import { createEvaluationCounts, flushInterval } from '../src/domain/flags/evaluation-counts.ts'
import { runEvery } from '../src/repeat.ts'

declare module 'fastify' {
  interface FastifyInstance {
    countEvaluations: ReturnType<typeof createEvaluationCounts>['count']
  }
}

export default fp(
  async (app) => {
    if (app.surface === 'console') return // it evaluates for no app
    const counts = createEvaluationCounts(app.db, (error) => {
      app.warnRarely(error, 'evaluations of flags not stored, will be tried again')
    })
    app.decorate('countEvaluations', counts.count)
    const flushing = runEvery(flushInterval, counts.flush)
    app.addHook('onClose', async function writeEvaluations() {
      await flushing.stop()
      await counts.flush()
    })
  },
  { name: 'evaluations', dependencies: ['config', 'db'] }
)
