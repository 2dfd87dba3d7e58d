import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * A server that answers the first word of each line from a table, the connection with '' of it, and
 * says nothing where the table has nothing.
 */
export async function script(
  t: Test,
  replies: Record<string, string>,
  also: (socket: Socket) => void = () => {}
): Promise<{ url: string; plain: true }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const answer = (word: string) => replies[word] && socket.write(`${replies[word]}\r\n`)
    socket.on('error', () => {})
    socket.on('data', (data) => answer(data.toString('latin1').split(/[ \r]/, 1)[0] ?? ''))
    answer('')
    also(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, plain: true }
}
