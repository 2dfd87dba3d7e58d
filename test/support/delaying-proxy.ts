import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/**
 * A proxy to a database that is far away: its answers arrive later, in their order.
 * @param inSteps they arrive together, at every multiple of the round trip, so that a busy machine
 *   does not change in which step the next statement is sent
 */
export async function delayingProxy(t: Pick<Test, 'teardown'>, url: string, inSteps = false) {
  const { hostname, port } = new URL(url)
  let roundTrip = 0
  const steps = new Set<number>()
  const ends = new Set<() => void>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const end = () => {
      near.destroy()
      far.destroy()
      ends.delete(end)
    }
    ends.add(end)
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.pipe(far)
    near.on('data', () => steps.add(Math.floor(performance.now() / roundTrip)))
    // Each timer forwards the oldest chunk: timers of different lengths may end in another order.
    const chunks: Buffer[] = []
    far.on('data', (chunk) => {
      chunks.push(chunk)
      const forward = () => near.writable && near.write(chunks.shift() ?? '')
      // A timer may be a little early.
      const wait = inSteps ? roundTrip - (performance.now() % roundTrip) + 2 : roundTrip
      if (roundTrip > 0) setTimeout(forward, wait)
      else forward()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const end of ends) end()
    server.close()
  })
  const target = new URL(url)
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    /** From now on each round trip takes so many milliseconds. Call it once. */
    move: (ms: number) => {
      roundTrip = ms
    },
    /** In how many steps something was sent. */
    steps: () => steps.size
  }
}
