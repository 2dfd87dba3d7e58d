import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { built, root } from '../support/root.ts'

// deploy/demo.yaml without a container: its command, as a process with its variables.

const { services } = parse(readFileSync(path.join(root, 'deploy/demo.yaml'), 'utf8'))
const { command, environment, ports, restart, tmpfs, tty, working_dir: folder } = services.portal

t.test('the demo has made-up people, and nothing of the hour before', async (t) => {
  t.same([Object.keys(services), environment], [['portal'], { NODE_ENV: 'development' }])
  t.same([ports, tmpfs, tty], [['127.0.0.1:3000:3000'], [folder], true])
  t.match(command[2], /^exec timeout 1h node /m)
  const cwd = temporaryFolder(t)
  const first = await startDemo(t, cwd)
  first.child.kill('SIGALRM') // as the clock of `timeout` does
  t.same([...(await first.exit), restart], [124, null, 'on-failure'])
  const second = await startDemo(t, cwd)
  t.not(second.password, first.password)
  t.same(second.people, first.people)
})

/** Starts the demo until the test ends, and lists people as its administrator. */
async function startDemo(t: Test, cwd: string) {
  const [sh, ...args] = command.map((each: string) => each.replaceAll('/portal/dist', built))
  const [PORT, { PATH }] = [String(await freePort()), process.env]
  const env = { PATH, HOST: '127.0.0.1', PORT, ...environment }
  const child = spawn(sh, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exit = once(child, 'close')
  t.teardown(() => child.kill() && exit)
  const base = `http://127.0.0.1:${PORT}`
  const isHealthy = () =>
    fetch(`${base}/health`).then(
      ({ ok }) => ok,
      () => false
    )
  const file = path.join(cwd, '.data/admin-password')
  await until(async () => (await isHealthy()) && existsSync(file))
  const password = readFileSync(file, 'utf8').trim()
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@portal.localhost', password })
  })
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const list = await fetch(`${base}/api/admin/users?q=sample.example`, { headers: { cookie } })
  const { items } = (await list.json()) as { items: { email: string }[] }
  t.ok(items.length > 30)
  return { child, exit, password, people: items.map(({ email }) => email) }
}
