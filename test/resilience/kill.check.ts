import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testDatabaseUrl } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const times = Number(process.env.KILLS ?? 100)

t.test(
  `an instance is killed ${times} times: acknowledged writes survive, and the other instance keeps working`,
  async (t) => {
    const DATABASE_URL = await testDatabaseUrl(t)
    const [steady, PORT] = [await startInstance(t, { DATABASE_URL }), String(await freePort())]
    let victim = await startInstance(t, { DATABASE_URL, PORT })
    await Promise.all([steady.ready(), victim.ready()])
    const [other, both] = [
      caller(() => steady.port),
      caller(() => (Math.random() < 0.5 ? steady.port : victim.port))
    ]
    t.teardown(() => {
      other.close()
      both.close()
    })
    const crowd = people(both.call, 8)
    const watched: number[] = []
    const watch = setInterval(async () => {
      watched.push((await other.call('GET', '/health').catch(() => ({ status: 0 }))).status)
    }, 50)

    for (let i = 0; i < times; i++) {
      await sleep(Math.random() * 300)
      victim.process.kill('SIGKILL')
      await victim.exit
      victim = await startInstance(t, { DATABASE_URL, PORT })
      await victim.ready()
    }
    clearInterval(watch)
    await crowd.stop()
    t.comment(
      `${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}; ${watched.length} looks at the other instance`
    )
    t.same(new Set(watched), new Set([200]))
    t.ok((crowd.tally.lost ?? 0) > 0, 'requests were under way when it was killed')
    t.ok(crowd.acknowledged() > times)
    t.same(await crowd.missing(other.call), [])
  }
)
