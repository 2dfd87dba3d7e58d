import { randomInt } from 'node:crypto'
import path from 'node:path'
import type { Test } from 'tap'
import { caller } from '../resilience/people.ts'
import { startInstance } from '../resilience/instances.ts'
import { temporaryFolder } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'

/**
 * Two instances of a build, which can be replaced one after the other. `call` spreads requests over
 * both, as a proxy does; `calls` has a function for each.
 */
export async function startFleet(t: Test, env: Record<string, string>, build: string) {
  const ports = [await freePort(), await freePort()]
  const start = async (PORT: number, build: string) => {
    const variables = { ...env, PORT: String(PORT) }
    const script = path.join(build, 'src/server.js')
    return (await startInstance(t, variables, temporaryFolder(t), script)).ready()
  }
  const instances = await Promise.all(ports.map((port) => start(port, build)))
  let serving = ports
  const callers = [
    () => serving[randomInt(serving.length)] ?? 0,
    ...ports.map((port) => () => port)
  ].map(caller)
  t.teardown(() => {
    for (const { close } of callers) close()
  })
  const [call, first, second] = callers.map(({ call }) => call)
  if (!call || !first || !second) throw new Error('not two instances')
  return {
    call,
    calls: [first, second] as const,
    /** Stops an instance, and starts one of another build at its port when it has ended. */
    async replace(which: 0 | 1, build: string) {
      const [old, port] = [instances[which], ports[which] ?? 0]
      serving = ports.filter((each) => each !== port)
      old?.process.kill('SIGTERM')
      t.equal(await old?.exit, 0, `an instance ends: ${old?.output()}`)
      instances[which] = await start(port, build)
      serving = ports
    }
  }
}
