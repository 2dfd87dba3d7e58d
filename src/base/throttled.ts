import type { FastifyRequest } from 'fastify'
import { throttled as attempt } from '../domain/throttling/admission.ts'
import type { OwnLimit } from '../domain/vocabulary.ts'

/**
 * Counts a call against a limit of the app, in the database, so that all instances share it: for
 * the signed-in user or the owner of the API key, else for the address of the client. Throws
 * `rate-limited`, for which the route declares `429: tooMany`.
 */
export async function throttled(request: FastifyRequest, limit: OwnLimit): Promise<void> {
  const { context, ownApp } = request.server
  const budget = ownApp?.definition.limits?.[limit]
  if (!budget) {
    throw new Error(`There is no limit ${String(limit)}. Declare it in defineApp: limits`)
  }
  const wanted = context.buckets.ofApp(limit, budget, request.actor)
  await attempt(context, { wanted }, async () => {})
}
