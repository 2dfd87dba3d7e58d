import t from 'tap'
import { password, testApp, aCaller } from '../helpers.ts'
import { freePort } from '../postgres.ts'

t.test(
  'metrics cover requests, logins, hashes, the shared read and the pool, by route pattern and without personal data',
  async (t) => {
    const port = await freePort()
    const app = await testApp(t, { METRICS_PORT: port })
    const { call, user } = await aCaller(app, 'admin')
    await call('GET', '/api/auth/me')
    await call('GET', `/api/admin/users/${user.id}`)
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password: 'not this one' }
    })
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password }
    })
    await app.inject('/no/such/route')

    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    const value = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1)
      )
    t.equal(
      value(
        'portal_http_request_duration_seconds_count{method="GET",route="/api/auth/me",status="200"}'
      ),
      1
    )
    t.equal(
      value(
        'portal_http_request_duration_seconds_count{method="GET",route="/api/admin/users/:id",status="200"}'
      ),
      1
    )
    t.equal(
      value('portal_http_request_duration_seconds_count{method="GET",route="none",status="404"}'),
      1
    )
    t.equal(value('portal_logins_total{outcome="refused"}'), 1)
    t.equal(value('portal_logins_total{outcome="success"}'), 2)
    t.equal(value('portal_ready'), 1)
    t.equal(value('portal_hashes_running'), 0)
    t.equal(value('portal_hashes_waiting'), 0)
    t.equal(value('portal_database_in_flight'), 0)
    t.equal(value('portal_database_connections_max'), 5)
    t.ok(value('portal_freshness_reads_total') >= 2)
    t.equal(value('portal_freshness_reads_failed_total'), 0)
    t.ok(value('portal_freshness_read_seconds_total') > 0)
    t.equal(value('portal_principals_loaded_total'), 1, 'read once, and held')
    t.ok(value('process_resident_memory_bytes') > 0)
    t.notOk(text.includes(user.id) || text.includes('example.com'))

    t.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404)
    t.equal((await app.inject('/metrics')).statusCode, 404, 'not on the public port')
  }
)

t.test('a metrics port in use stops the start with a message', async (t) => {
  const port = await freePort()
  await testApp(t, { METRICS_PORT: port })
  await t.rejects(testApp(t, { METRICS_PORT: port }), /METRICS_PORT cannot be used \(EADDRINUSE\)/)
})
