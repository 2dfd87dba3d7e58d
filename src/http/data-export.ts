import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Milliseconds after which a client that reads nothing is cut off. Node may wait twice as long. */
const patience = 30_000

/** Sends the text of a JSON object while it is read. */
export async function sendExport(reply: FastifyReply, parts: AsyncIterable<string>) {
  const text = Readable.from(parts)
  reply.raw.setTimeout(patience, () => text.destroy())
  reply.type('application/json; charset=utf-8').send(text)
  // Its last statement goes on for a moment when the client has left.
  await new Promise((resolve) => text.once('close', resolve))
  return reply
}
