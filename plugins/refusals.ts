import fp from 'fastify-plugin'
import { retried } from '../db/transaction.ts'
import { record } from '../src/domain/activity/record.ts'
import type { Actor, Happening } from '../src/domain/activity/record.ts'
import type { Noted } from '../src/domain/errors.ts'
import { networksOf } from '../src/domain/networks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Records that a request was refused, where the reason is worth a record: a lack of rights, a forged token, another site, too many tries. */
    noteRefusal(request: FastifyRequest, reason: string, noted?: Noted): Promise<void>
  }
}

type Action = 'access.denied' | 'auth.token-rejected' | 'request.cross-site' | 'throttle.limited'
const actions: Record<string, Action> = {
  'permission-denied': 'access.denied',
  'exceeds-own-permissions': 'access.denied',
  'cross-site': 'request.cross-site',
  'invalid-token': 'auth.token-rejected',
  'several-cookies': 'auth.token-rejected',
  'rate-limited': 'throttle.limited'
}

interface Refusal {
  action: Action
  actor: Actor
  happening: Happening<Action>
  repeated: number
}

const interval = 60_000
/** Kinds of refusal kept apart at a time; above it nothing more is recorded until the minute is over. */
const ceiling = 1000

/**
 * What a caller can repeat at will must not fill the database: the first of a kind is recorded at once,
 * those that follow once a minute with their number. A kind is who (or from which network, a /64 of IPv6), what,
 * on which route, and against whom.
 */
export default fp(
  async (app) => {
    const refusals = new Map<string, Refusal>()

    app.decorate('noteRefusal', async (request, reason, noted) => {
      const action = actions[reason]
      if (!action) return
      const { method, routeOptions, actor } = request
      const access = routeOptions.config.access
      const route = `${method} ${routeOptions.url ?? '(no route)'}`
      const kind = JSON.stringify([
        action,
        reason,
        actor.id ?? networksOf(actor.ip)[0],
        route,
        noted
      ])
      const known = refusals.get(kind)
      if (known) {
        known.repeated += 1
        known.actor = actor
        return
      }
      if (refusals.size >= ceiling) return
      const refusal: Refusal = {
        action,
        actor,
        happening: {
          outcome: 'failure',
          reason,
          ...(noted?.userId && { target: { type: 'user', id: noted.userId } }),
          details: {
            route,
            ...(noted && { limit: noted.limit }),
            ...(action === 'access.denied' &&
              typeof access === 'object' && { permission: access.permission })
          }
        },
        repeated: 0
      }
      refusals.set(kind, refusal)
      await write(refusal)
    })

    /** Records that are being written. Not every caller waits for them, but the end of the server does. */
    const pending = new Set<Promise<void>>()
    const write = (refusal: Refusal) => {
      const writing = insert(refusal).finally(() => pending.delete(writing))
      pending.add(writing)
      return writing
    }
    const insert = async ({ action, actor, happening, repeated }: Refusal) => {
      const details = { ...happening.details, ...(repeated > 0 && { count: repeated }) }
      await retried(() => record(app.db, actor, action, { ...happening, details })).catch(
        (error: unknown) => app.log.warn({ err: error }, 'a refusal was not recorded')
      ) // it stands all the same
    }
    const flush = async () => {
      for (const [kind, refusal] of refusals) {
        if (refusal.repeated === 0) {
          refusals.delete(kind)
          continue
        }
        const due = { ...refusal }
        refusal.repeated = 0
        await write(due)
      }
    }
    const timer = setInterval(flush, interval).unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await flush()
      await Promise.all(pending)
    })
  },
  { name: 'refusals', dependencies: ['actor', 'db'] }
)
