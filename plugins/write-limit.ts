import fp from 'fastify-plugin'
import { rateLimited } from '../src/domain/errors.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])
const sweepInterval = 60_000

/** How fast a signed-in user may change things, counted in this process: a runaway script meets it, a person never does. */
export default fp(
  async (app) => {
    const { burst, seconds } = app.config.THROTTLE_WRITES
    const step = seconds * 1000
    /** By user: when their budget is whole again (GCRA), by a clock that is never set back. */
    const whole = new Map<string, number>()

    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (
        reading.has(String(route.method)) ||
        (access !== 'session' && typeof access !== 'object')
      ) {
        return
      }
      // After the route's gate, which the access policy puts first.
      route.onRequest = [
        ...[route.onRequest ?? []].flat(),
        (request, _reply, done) => done(refusal(request.user.id))
      ]
    })

    function refusal(userId: string) {
      const now = performance.now()
      const next = Math.max(whole.get(userId) ?? 0, now) + step
      const wait = next - now - burst * step
      if (wait > 0) return rateLimited(Math.ceil(wait / 1000), { limit: 'writes', userId })
      whole.set(userId, next)
    }

    const sweep = setInterval(() => {
      const now = performance.now()
      for (const [userId, at] of whole) if (at <= now) whole.delete(userId)
    }, sweepInterval).unref()
    app.addHook('onClose', async () => clearInterval(sweep))
  },
  { name: 'write-limit', dependencies: ['config', 'permissions'] }
)
