import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { freshEmail, onPglite, password, testDatabaseUrl, until } from './support/app.ts'
import { freePort } from './support/postgres.ts'
import { startInstance } from './resilience/instances.ts'
import { caller } from './resilience/people.ts'
import { built } from './support/root.ts'

interface Span {
  name: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
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
    spans: () =>
      bodies.flatMap((each) =>
        (
          JSON.parse(each) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      ),
    env: {
      NODE_OPTIONS: `--import=${path.join(built, 'src/tracing.js')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    }
  }
}

const attributesOf = (span?: Span) =>
  Object.fromEntries(
    span?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) ?? []
  )

t.test(
  'with --import of one file every request is a span with route, status and request id',
  async (t) => {
    const { bodies, spans, env } = await startCollector(t)
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
    const attributes = (name: string) => attributesOf(spans().find((span) => span.name === name))
    const login = attributes('POST /api/auth/login')
    t.match(login, { 'http.route': '/api/auth/login', 'http.response.status_code': 401 })
    t.ok(
      problem.endsWith(String(login['portal.request.id'])),
      `${problem} names ${login['portal.request.id']}`
    )
    t.match(attributes('GET /api/auth/me'), { 'url.path': '/api/auth/me' })
    t.match(bodies.join(''), '"portal"', 'the name of the service')
    t.match(bodies.join(''), '"service.version"')
    const [named] = spans().filter((span) => span.name === 'POST /api/auth/login')
    const hash = spans().find((span) => span.name === 'password verify')
    t.equal(hash?.parentSpanId, named?.spanId, 'most of the time of a login')
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

/** A traced instance, `count` users who change their theme at the same time, and all spans. */
async function themesAtOnce(t: Test, count: number) {
  const collector = await startCollector(t)
  const DATABASE_URL = await testDatabaseUrl(t)
  const env = { DATABASE_URL, ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '100' }
  const instance = await (await startInstance(t, env)).ready()
  const { call, close } = caller(() => instance.port)
  t.teardown(close)
  const emails = Array.from({ length: count }, freshEmail)
  const timeout = 60_000
  /** A busy portal asks to try again. */
  const postWhenReady = (url: string, body: object) =>
    until(async () => {
      const answer = await call('POST', url, { body, timeout })
      return answer.status === 503 ? undefined : answer
    })
  const cookies: string[] = []
  for (const email of emails) {
    await postWhenReady('/api/auth/register', { email, password, name: 'Ada' })
    cookies.push((await postWhenReady('/api/auth/login', { email, password })).cookie ?? '')
  }
  const answers = await Promise.all(
    cookies.map((cookie) =>
      call('PUT', '/api/user/theme', { body: { theme: 'dark' }, cookie, timeout })
    )
  )
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  // The spans below a request are sent before it.
  const isThere = ({ name }: Span) => name === 'PUT /api/user/theme'
  await until(async () => collector.spans().filter(isThere).length === count)
  return { emails, spans: collector.spans(), bodies: collector.bodies }
}

if (!onPglite) {
  t.test(
    "a request's statements are spans below it, with its id and their duration, without values",
    async (t) => {
      const { emails, spans, bodies } = await themesAtOnce(t, 1)
      const request = spans.find(({ name }) => name === 'PUT /api/user/theme')
      const id = attributesOf(request)['portal.request.id']
      t.match(id, /^[0-9a-f-]{36}$/)
      const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
      const names = statements.map(({ name }) => name)
      for (const name of ['BEGIN', 'UPDATE users', 'COMMIT']) t.ok(names.includes(name), name)
      for (const span of statements) {
        t.equal(attributesOf(span)['portal.request.id'], id)
        t.ok(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano), 'it has a duration')
      }
      const update = attributesOf(statements.find(({ name }) => name === 'UPDATE users'))
      t.match(update, {
        'db.system.name': 'postgresql',
        'db.query.text': /^update "users" set .*\$1/
      })
      for (const value of [...emails, password, 'dark']) t.notMatch(bodies.join(''), value)
    }
  )

  t.test('requests that share reads do not have statements of each other', async (t) => {
    const { spans } = await themesAtOnce(t, 5)
    const requests = spans.filter(({ name }) => name === 'PUT /api/user/theme')
    t.equal(requests.length, 5)
    for (const { spanId } of requests) {
      const below = spans.filter(({ parentSpanId }) => parentSpanId === spanId)
      t.equal(below.filter(({ name }) => name === 'UPDATE users').length, 1)
      t.same(
        below.filter((span) =>
          /from "?(epochs|sessions)|from epoch_parts/.test(`${attributesOf(span)['db.query.text']}`)
        ),
        [],
        'a read for several requests belongs to none'
      )
    }
  })
}
