import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { testDatabaseUrl, until } from '../support/app.ts'
import { startInstance } from './instances.ts'

interface Outcome {
  result: string
  reused: boolean
}

t.test('SIGTERM under load loses no started request and ends with exit code 0', async (t) => {
  const instance = await startInstance(t, {
    DATABASE_URL: await testDatabaseUrl(t),
    SHUTDOWN_DELAY_SECONDS: '3'
  })
  await instance.ready()
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const ask = (kept: boolean) =>
    new Promise<Outcome>((resolve) => {
      const options = {
        host: '127.0.0.1',
        port: instance.port,
        path: '/api/auth/me',
        headers: { host: 'localhost' }
      }
      const sent = request({ ...options, agent: kept ? agent : false }, (response) => {
        response
          .resume()
          .on('end', () => end(String(response.statusCode)))
          .on('error', () => end('broken'))
      })
      const end = (result: string) => resolve({ result, reused: sent.reusedSocket })
      sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error')).end()
    })

  let answered = 0
  /** Sends requests one after the other until the server rejects connections. */
  const client = async (kept: boolean) => {
    const outcomes: Outcome[] = []
    while (outcomes.at(-1)?.result !== 'ECONNREFUSED') {
      const outcome = await ask(kept)
      outcomes.push(outcome)
      if (outcome.result === '401') answered++
    }
    return outcomes
  }
  const clients = Array.from({ length: 20 }, (_, i) => client(i % 2 === 0)) // half of them keep their connections
  await until(() => answered >= 200)
  const before = answered
  instance.process.kill('SIGTERM')
  const all = await Promise.all(clients)
  t.equal(await instance.exit, 0)
  t.comment(`${before} answered before the signal, ${answered - before} after it`)
  t.ok(answered - before > 20, 'more than those that were on their way are answered after it')
  // The system may have accepted a connection that the closing server never read.
  const last = all.map((outcomes) =>
    outcomes
      .filter(({ result }) => result !== '401')
      .map(({ result }) => result)
      .join(' ')
  )
  t.same(
    last.filter((each) => each !== 'ECONNREFUSED' && each !== 'ECONNRESET ECONNREFUSED'),
    [],
    'no other outcome'
  )
  const order = all.map(
    (outcomes) =>
      outcomes.findIndex(({ result }) => result !== '401') -
      outcomes.filter(({ result }) => result === '401').length
  )
  t.same(
    order.filter((difference) => difference !== 0),
    [],
    'none was cut before the listener closed'
  )
  t.same(
    all.flat().filter(({ result, reused }) => result === 'ECONNRESET' && reused),
    [],
    'none was cut on a connection that was kept'
  )
})

t.test('requests on connections in the backlog are answered before the process ends', async (t) => {
  const instance = await startInstance(t, { DATABASE_URL: await testDatabaseUrl(t) })
  await instance.ready()
  // A stopped process acts like a busy event loop: the system accepts connections and bytes for it.
  instance.process.kill('SIGSTOP')
  const count = 20
  let sent = 0
  const outcomes = Array.from(
    { length: count },
    () =>
      new Promise<string>((resolve) => {
        const socket = connect(instance.port, '127.0.0.1')
        let text = ''
        socket
          .on('data', (chunk) => {
            text += chunk
          })
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
          .on('close', () => resolve(text.split('\r\n')[0] ?? ''))
          .write('GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n', () => {
            sent++
          })
      })
  )
  await until(() => sent === count)
  instance.process.kill('SIGTERM')
  instance.process.kill('SIGCONT')
  t.same(new Set(await Promise.all(outcomes)), new Set(['HTTP/1.1 401 Unauthorized']))
  t.equal(await instance.exit, 0)
})
