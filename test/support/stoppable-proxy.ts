import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Test } from 'tap'

/** A proxy to the database that can be stopped: then nothing passes and nothing is rejected. */
export async function stoppableProxy(t: Pick<Test, 'teardown'>, url: string, nearPort = 0) {
  const { hostname, port } = new URL(url)
  const pairs = new Set<[near: Socket, far: Socket]>()
  let stopped = false
  const server = createServer((near) => {
    const pair: [Socket, Socket] = [near, connect(Number(port), hostname)]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {}).on('close', () => pair.forEach((each) => each.destroy()))
    }
    if (!stopped) join(pair)
  })
  const join = ([near, far]: [Socket, Socket]) => near.pipe(far).pipe(near)
  const forgotten: Socket[] = []
  const cut = () => {
    for (const socket of [...pairs].flat().concat(forgotten)) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(nearPort, '127.0.0.1', resolve))
  t.teardown(() => {
    cut()
    server.close()
  })
  const target = new URL(url)
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    /** Bytes from the clients of the database, as long as none was forgotten. */
    received: () => [...pairs].reduce((sum, [near]) => sum + near.bytesRead, 0),
    stop: () => {
      stopped = true
      for (const pair of pairs) pair.forEach((socket) => socket.unpipe().pause())
    },
    /** Lets held data through. */
    go: () => {
      stopped = false
      for (const pair of pairs) join(pair)
    },
    /** Drops held data silently; new connections get through. */
    forget: () => {
      stopped = false
      forgotten.push(...[...pairs].flat())
      pairs.clear()
    },
    cut: () => {
      cut()
      server.close()
    }
  }
}
