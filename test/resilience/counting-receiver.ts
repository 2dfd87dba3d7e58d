import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'

/** A receiver of webhooks that counts what arrives, and can withhold its responses. */
export async function countingReceiver(
  t: Pick<Test, 'teardown'>,
  { cert, key, secret }: { cert: string; key: string; secret: string }
) {
  const verifier = new Webhook(secret)
  /** How often each arrived, by `webhook-id` and by the id of the record. */
  const messages = new Map<string, number>()
  const events = new Map<string, number>()
  const count = (map: Map<string, number>, id: string) => map.set(id, (map.get(id) ?? 0) + 1)
  let forged = 0
  let isHolding = false
  const held = new Set<() => void>()
  const server = createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      try {
        verifier.verify(text, request.headers as Record<string, string>)
      } catch {
        forged++
      }
      count(messages, String(request.headers['webhook-id']))
      count(events, (JSON.parse(text) as { data: { id: string } }).data.id)
      const respond = () => response.writeHead(204).end()
      if (!isHolding) return respond()
      // Before the portal takes it for a failure.
      const late = setTimeout(respond, 4000)
      held.add(respond)
      response.on('close', () => {
        clearTimeout(late)
        held.delete(respond)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    events,
    forged: () => forged,
    held: () => held.size,
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const respond of held) respond()
    }
  }
}
