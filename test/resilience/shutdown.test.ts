import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'node:http'
import t from 'tap'
import { testDatabaseUrl } from '../helpers.ts'
import { startInstance } from './instances.ts'

t.test('under two hundred requests a second a SIGTERM loses none that had begun, and the exit code is 0', async (t) => {
  const instance = await startInstance(t, { DATABASE_URL: await testDatabaseUrl(t), SHUTDOWN_DELAY_SECONDS: '1' })
  await instance.ready()
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const outcomes: Record<string, number> = {}
  let closed = Infinity
  const resets: number[] = []
  /** Half of them on connections that are kept. */
  const ask = (kept: boolean) => new Promise<void>((resolve) => {
    const begun = performance.now()
    const settle = (outcome: string) => {
      if (outcome === 'ECONNREFUSED') closed = Math.min(closed, begun)
      if (outcome === 'ECONNRESET') resets.push(begun)
      else outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      resolve()
    }
    request({ host: '127.0.0.1', port: instance.port, path: '/api/auth/me', ...kept ? { agent } : { agent: false }, headers: { host: 'localhost' } }, (response) => {
      response.resume().on('end', () => settle(String(response.statusCode))).on('error', () => settle('broken'))
    }).on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? 'error')).end()
  })

  const all: Promise<void>[] = []
  for (let i = 0; instance.process.exitCode === null && i < 3000; i++) {
    all.push(ask(i % 2 === 0))
    if (i === 100) instance.process.kill('SIGTERM')
    await sleep(5)
  }
  await Promise.all(all)
  t.equal(await instance.exit, 0)
  const { 401: answered = 0, ECONNREFUSED: after = 0, ...others } = outcomes
  t.comment(`${answered} answered, ${after} after the listener closed`)
  t.ok(answered > 150, 'those before it and those of the delay')
  t.same(others, {}, 'no other outcome')
  // A connection that the system had taken and the server had not: it was about to close, and never read it.
  t.same(resets.filter((begun) => begun < closed - 50), [], 'none was cut that came before the listener closed')
  t.ok(resets.length <= 2, `${resets.length} came while it closed`)
})
