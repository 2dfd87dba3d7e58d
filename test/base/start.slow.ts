import t from 'tap'
import path from 'node:path'
import { spawnServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/app.ts'
import { built } from '../support/root.ts'
import { appFolder, greeter } from '../support/app-folder.ts'

const script = path.join(built, 'src/cli.js')
const environment = {
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  ALLOWED_HOSTS: '127.0.0.1',
  DATABASE_URL: 'pglite:memory'
}
const app = appFolder(t, greeter)

t.test('`portal start` serves the app of `--app`, or else of APP', async (t) => {
  const starts: [args: string[], env: Record<string, string>][] = [
    [['start', '--app', app], { APP: '/nowhere' }],
    [['start', `--app=${app}`], {}],
    [['start'], { APP: app }]
  ]
  for (const [args, env] of starts) {
    const cwd = temporaryFolder(t)
    const server = await spawnServer({ ...environment, ...env }, { cwd, script, args })
    t.teardown(() => server.process.kill('SIGKILL'))
    await server.ready()
    t.equal((await fetch(`${server.base}/api/greeting`)).status, 401, args.join(' '))
    t.equal((await fetch(`${server.base}/api/nothing`)).status, 404)
    server.process.kill('SIGTERM')
    t.equal(await server.exit, 0)
  }
})

t.test('`portal start` names what is wrong with the app, and ends without a stack', async (t) => {
  const cwd = temporaryFolder(t)
  for (const [args, code, message] of [
    [['--app', '/nowhere'], 1, 'There is no folder /nowhere. Create an app with: portal init NAME'],
    [['--app'], 2, "option '--app <folder>' argument missing"],
    [['--app', app, 'more'], 2, 'too many arguments']
  ] as const) {
    const server = await spawnServer(environment, { cwd, script, args: ['start', ...args] })
    t.equal(await server.exit, code, args.join(' '))
    t.match(server.output(), message)
    t.notMatch(server.output(), /^ +at /m)
  }
})
