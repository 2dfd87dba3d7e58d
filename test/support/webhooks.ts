import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import type { DeliveryRow, EndpointRow } from '../../db/schema/webhooks.ts'

/** A public address, so that nothing has to be resolved. No test sends anything there. */
export const publicUrl = 'https://93.184.215.14/hooks/portal?token=secret'

/** Inserts an endpoint, paused so that no worker sends to it. */
export async function anEndpoint(
  { db }: Pick<Database, 'db'>,
  changes: Partial<EndpointRow> = {}
): Promise<EndpointRow> {
  const url = `https://93.184.215.14/${randomUUID()}`
  const [row] = await db
    .insert(webhookEndpoints)
    .values({
      ...{ id: uuid(), url, events: ['admin.bootstrap'], secret: Buffer.of(1) },
      ...{ state: 'paused', ...changes }
    })
    .returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}

/** Inserts a record and its delivery to an endpoint. */
export async function aDelivery(
  { db }: Pick<Database, 'db'>,
  { id: endpointId }: Pick<EndpointRow, 'id'>,
  changes: Partial<DeliveryRow> & { action?: string; userId?: string } = {}
): Promise<DeliveryRow> {
  const { action = 'admin.bootstrap', userId, ...values } = changes
  const [eventId, eventAt] = [uuid(), values.eventAt ?? new Date()]
  const by = { actorType: 'system', source: 'job', outcome: 'success' } as const
  const target = userId === undefined ? {} : { targetType: 'user' as const, targetId: userId }
  await db.insert(activity).values({ id: eventId, at: eventAt, action, ...by, ...target })
  const expiresAt = new Date(Date.now() + 3 * 86_400_000)
  const [row] = await db
    .insert(deliveries)
    .values({ endpointId, eventId, eventAt, expiresAt, ...values })
    .returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}

/** A receiver on this machine, and the requests that it got. */
export async function aReceiver(t: Test, answer: () => number = () => 204) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: String(await buffer(request)) })
    response.writeHead(answer()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}
