import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { freshEmail, password, testDatabaseUrl, until } from './helpers.ts'
import { freePort } from './postgres.ts'
import { startInstance } from './resilience/instances.ts'
import { caller } from './resilience/people.ts'
import { built } from './root.ts'

interface Span {
  name: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** Receives spans like an OpenTelemetry collector; `env` makes an instance send them there. */
async function startCollector(t: Test) {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request
      .on('data', (chunk) => {
        body += chunk
      })
      .on('end', () => {
        bodies.push(body)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  t.teardown(() => collector.close())
  return {
    bodies,
    env: {
      NODE_OPTIONS: `--import=${path.join(built, 'src/tracing.js')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    }
  }
}

t.test(
  'with --import of one file every request is a span with route, status and request id',
  async (t) => {
    const { bodies, env } = await startCollector(t)
    const instance = await startInstance(t, { DATABASE_URL: await testDatabaseUrl(t), ...env })
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const email = freshEmail()
    const { status, body } = await call('POST', '/api/auth/login', { body: { email, password } })
    t.equal(status, 401)
    const { instance: problem } = JSON.parse(body) as { instance: string }
    await call('GET', `/api/auth/me?note=${email}`)
    instance.process.kill('SIGTERM')
    t.equal(await instance.exit, 0, instance.output())

    await until(async () => bodies.length > 0)
    const spans = bodies.flatMap((each) =>
      (
        JSON.parse(each) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    )
    const attributes = (name: string) =>
      Object.fromEntries(
        spans
          .find((span) => span.name === name)
          ?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) ?? []
      )
    const login = attributes('POST /api/auth/login')
    t.match(login, { 'http.route': '/api/auth/login', 'http.response.status_code': 401 })
    t.ok(
      problem.endsWith(String(login['portal.request.id'])),
      `${problem} names ${login['portal.request.id']}`
    )
    t.match(attributes('GET /api/auth/me'), { 'url.path': '/api/auth/me' })
    t.match(bodies.join(''), '"portal"', 'the name of the service')
    for (const secret of [email, password]) t.notMatch(bodies.join(''), secret)
  }
)

t.test(
  "a span does not contain an error's message, which may include parameters of a statement",
  async (t) => {
    const { bodies, env } = await startCollector(t)
    const instance = await startInstance(t, {
      DATABASE_URL: `postgres://portal@127.0.0.1:${await freePort()}/portal`,
      ...env
    })
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const email = freshEmail()
    await until(
      async () =>
        (
          await call('POST', '/api/auth/login', { body: { email, password } }).catch(
            () => undefined
          )
        )?.status === 503
    )
    instance.process.kill('SIGTERM')
    t.equal(await instance.exit, 0, instance.output())
    t.match(bodies.join(''), 'POST /api/auth/login')
    t.notMatch(bodies.join(''), email)
  }
)
