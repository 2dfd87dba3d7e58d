import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/engine.ts'
import { users } from '../../db/schema/users.ts'
import { notify } from '../domain/outbox/enqueue.ts'
import { throttled as attempt } from '../domain/throttling/admission.ts'
import { recipient } from '../domain/users/users.ts'
import type { OwnLimit, OwnMail, OwnParams } from '../domain/vocabulary.ts'

/** Most characters of a value, which may be in a subject. */
const longest = 1000

/** The reader, and a value for each placeholder; line breaks in it become spaces. */
type To<K extends OwnMail> = { userId: string } & (OwnParams<K> extends Record<string, never>
  ? { params?: never }
  : { params: OwnParams<K> })

/**
 * Puts a mail of the app into the outbox, in the transaction of the change that it reports. It goes
 * to the confirmed address of the user; users without one get none, because somebody else may have
 * registered with the address.
 */
export async function sendMail<K extends OwnMail>(
  tx: Db,
  app: FastifyInstance,
  kind: K,
  { userId, params }: To<K>
): Promise<void> {
  const type = app.ownApp?.definition.mails?.[kind]
  if (!type) throw new Error(`There is no mail ${String(kind)}. Declare it in defineApp: mails`)
  const given = params as Record<string, string | number> | undefined
  const values = (type.params ?? []).map((name) => {
    const value = given?.[name]
    if (value === undefined) throw new Error(`The mail ${String(kind)} needs a value for {${name}}`)
    const text = String(value)
    if (text.length > longest) {
      throw new Error(
        `The value of {${name}} in the mail ${String(kind)} has ${text.length} characters, and ` +
          `can have ${longest}. Shorten it, or link to a page that shows it`
      )
    }
    return [name, text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')] as const
  })
  const [found] = await tx.select(recipient).from(users).where(eq(users.id, userId))
  if (!found) return
  const content = { kind: 'app', own: kind, params: Object.fromEntries(values) } as const
  await notify(tx, app.context.mail, found, content)
}

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
