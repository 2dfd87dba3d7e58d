import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSessions, key } from '../support/many-sessions.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const minutes = Number(process.env.MINUTES ?? 20)

/** More than the caches of tokens and principals hold. */
const kept = 66_000

interface Sample {
  memory: number
  handles: number
  loop: number
}

t.test(
  `${minutes} minutes of mixed use: memory and handles do not grow, and nothing fails`,
  async (t) => {
    const METRICS_PORT = String(await freePort())
    const DATABASE_URL = await testDatabaseUrl(t)
    const instance = await startInstance(t, {
      DATABASE_URL,
      METRICS_PORT,
      SECRET_KEYS: `k1:${key.toString('base64url')}`
    })
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const look = async (): Promise<Sample> => {
      const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
      const value = (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')
            .at(-1)
        )
      return {
        memory: value('process_resident_memory_bytes') / 1e6,
        handles: [...text.matchAll(/^nodejs_active_resources\{.*\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0
        ),
        loop: value('nodejs_eventloop_lag_p99_seconds') * 1000
      }
    }
    // Fills all caches, or memory would grow until they are full.
    const cookies = await addSessions(DATABASE_URL, { count: kept })
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        for (let n = i; n < kept; n += 50) {
          await call('GET', '/api/auth/me', { cookie: cookies[n] ?? '' })
        }
      })
    )
    const crowd = people(call, 8)
    const byMinute: Sample[] = []
    for (let minute = 0; minute < minutes; minute++) {
      const samples: Sample[] = []
      for (let i = 0; i < 60; i++) {
        samples.push(await look())
        await sleep(1000)
      }
      const middle = (pick: (sample: Sample) => number) =>
        samples.map(pick).toSorted((a, b) => a - b)[30] ?? NaN
      byMinute.push({
        memory: Math.round(middle(({ memory }) => memory)),
        handles: middle(({ handles }) => handles),
        loop: Math.round(middle(({ loop }) => loop) * 10) / 10
      })
    }
    await crowd.stop()
    t.comment(`${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`)
    t.comment(`by minute: ${JSON.stringify(byMinute)}`)
    const [early, late] = [byMinute[2] ?? byMinute[0], byMinute.at(-1)]
    t.ok(early && late && late.memory < early.memory * 1.15, 'memory')
    t.ok(early && late && late.handles < early.handles + 10, 'connections and timers')
    t.ok(early && late && late.loop < early.loop * 2 + 5, 'the event loop')
    t.same(
      Object.keys(crowd.tally).filter((status) => !['200', '201', '204'].includes(status)),
      []
    )
    t.same(await crowd.missing(call), [])
  }
)
