import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testDatabaseUrl } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { startHaproxy } from '../proxies/proxies.ts'
import { goodAfter, startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const rounds = 10

t.test(
  `two instances behind HAProxy are restarted in turn under load, ${rounds} rounds: no request fails`,
  async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const ports = [await freePort(), await freePort()] as const
    const env = (port: number) => ({
      DATABASE_URL,
      PORT: String(port),
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_DELAY_SECONDS: '3'
    })
    const instances = await Promise.all(ports.map((port) => startInstance(t, env(port))))
    await Promise.all(instances.map((instance) => instance.ready()))

    const unused = { service: await freePort(), app: await freePort() }
    const { port: front } = await startHaproxy(t, { portals: ports, ...unused })
    await goodAfter(`http://127.0.0.1:${front}`)

    const { call, close } = caller(() => front)
    t.teardown(close)
    const crowd = people(call, 8)
    for (let round = 0; round < rounds; round++) {
      for (const i of [0, 1] as const) {
        instances[i]?.process.kill('SIGTERM')
        t.equal(await instances[i]?.exit, 0)
        instances[i] = await startInstance(t, env(ports[i]))
        await instances[i]?.ready()
        await sleep(2500) // until HAProxy has checked as well
      }
    }
    await crowd.stop()
    t.comment(`${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
    const { 200: ok = 0, 201: made = 0, 204: left = 0, ...others } = crowd.tally
    t.ok(ok > 1000 && made > 100 && left > 50)
    t.same(others, {}, 'failed requests')
    t.same(await crowd.missing(call), [])
  }
)
