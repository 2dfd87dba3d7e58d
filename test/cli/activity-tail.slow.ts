// Not on PGlite: the command goes on while others write.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { onPglite, testDatabaseUrl, until } from '../support/app.ts'
import { built } from '../support/root.ts'
import { stoppableProxy } from '../support/stoppable-proxy.ts'

const skip = onPglite && 'it has one process at a time'

for (const [signal, ...options] of [['SIGINT', '--json'], ['SIGTERM']] as const) {
  t.test(
    `tail --follow ${options.join()} prints each record once, also after the database was gone, until ${signal}`,
    { skip },
    async (t) => {
      const url = await testDatabaseUrl(t)
      const { db, close } = await openDatabase(url, { poolMax: 1 })
      t.teardown(close)
      const proxy = await stoppableProxy(t, url)
      const command = [path.join(built, 'src/cli.js'), 'activity', 'tail', '--follow', ...options]
      const env = { PATH: process.env.PATH, DATABASE_URL: proxy.url }
      const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const exit = once(child, 'exit')
      t.teardown(() => child.kill('SIGKILL'))
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))

      /** A record of some seconds ago, older than 15, which the feed shows at once. */
      const happen = async (address: string, secondsAgo: number) => {
        const at = new Date(Date.now() - secondsAgo * 1000)
        const what = { action: 'user.update', outcome: 'success', actorType: 'user' } as const
        await db.insert(activity).values({ ...what, id: uuid(), source: 'api', ip: address, at })
      }
      const printed = () => [...stdout.matchAll(/192\.0\.2\.\d+/g)].map(([ip]) => ip)
      await happen('192.0.2.1', 300)
      await until(() => printed().length === 1)
      await happen('192.0.2.2', 250)
      await until(() => printed().length === 2)

      proxy.cut()
      await until(() => stderr.includes('Trying until it does'))
      await happen('192.0.2.3', 200)
      await stoppableProxy(t, url, Number(new URL(proxy.url).port))
      await until(() => printed().length === 3)
      await happen('192.0.2.4', 150)
      await until(() => printed().length > 3)
      t.same(printed(), ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])

      child.kill(signal)
      t.same(await exit, [null, signal])
    }
  )
}
