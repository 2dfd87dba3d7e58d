import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import { withSlack } from '../../db/transaction.ts'
import type { OwnCode } from './allow.ts'

/** Milliseconds for which a route of the app may keep the instance from everything else. */
const limit = 200
/** Milliseconds between two looks. */
const period = 50

/**
 * Logs and counts when the event loop is blocked while routes of the app run. The route that blocks
 * it is one of those. Returns a function that adds a route.
 */
export function watchEventLoop(app: FastifyInstance, { failures }: OwnCode) {
  /** The requests that have run since the last look. */
  const running = new Set<{ reply: FastifyReply; name: string; begun: number }>()
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const long = [...running].filter(({ reply: { elapsedTime }, begun }) => {
      return Math.min(begun + elapsedTime, now) - Math.max(begun, last) > withSlack(limit)
    })
    if (long.length > 0) {
      failures.blockedLoop++
      app.log.warn(
        { routes: [...new Set(long.map(({ name }) => name))], ms: Math.round(now - last) },
        'the event loop was blocked while routes of the app ran, and every other request waited: ' +
          'divide what they compute, or move it to a worker'
      )
    }
    last = now
    for (const each of running) {
      const { writableEnded, destroyed } = each.reply.raw
      if (writableEnded || destroyed) running.delete(each)
    }
  }, period).unref()
  app.addHook('onClose', async function stopWatching() {
    clearInterval(timer)
  })
  return (route: RouteOptions, name: string) => {
    const noteRoute = (_request: unknown, reply: FastifyReply, done: () => void) => {
      running.add({ reply, name, begun: performance.now() })
      done()
    }
    route.onRequest = [...[route.onRequest ?? []].flat(), noteRoute]
  }
}
