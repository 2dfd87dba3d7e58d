import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl } from '../helpers.ts'
import { freePort } from '../postgres.ts'
import { root } from '../root.ts'
import { debianProgram } from './debian.ts'
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

    // The shipped configuration with other ports.
    const front = await freePort()
    const file = path.join(temporaryFolder(t), 'haproxy.cfg')
    writeFileSync(
      file,
      readFileSync(path.join(root, 'deploy/haproxy.cfg'), 'utf8')
        .replace('bind :8080', `bind 127.0.0.1:${front}`)
        .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    )
    const haproxy = spawn(await debianProgram('haproxy'), ['-db', '-f', file], { stdio: 'inherit' })
    t.teardown(() => haproxy.kill('SIGKILL'))
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
