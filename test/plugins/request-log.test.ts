import t from 'tap'
import { captureLog } from '../support/log-capture.ts'
import { ownApp, testDatabase, until } from '../support/app.ts'

const flag = { context: { targetingKey: 'ada' } }

for (const level of ['info', 'debug'] as const) {
  t.test(
    `level ${level} logs refused evaluations ${level === 'info' ? 'but not' : 'and'} successful ones`,
    async (t) => {
      const { log, output } = captureLog(level)
      const app = await ownApp(t, {}, await testDatabase(t), log)
      const all = (headers = {}) =>
        app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload: flag, headers })
      const first = await all()
      t.equal((await all({ 'if-none-match': String(first.headers.etag) })).statusCode, 304)
      t.equal(
        (await app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags/none', payload: flag }))
          .statusCode,
        404
      )
      t.equal((await app.inject({ method: 'POST', url: '/api/auth/logout' })).statusCode, 204)
      const lines = () =>
        output()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ msg }) => msg === 'request')
      await until(() => lines().some(({ path }) => path === '/api/auth/logout')) // the last one
      const seen = lines().map(({ level, path, status }) => [level, path, status])
      const refused = [30, '/ofrep/v1/evaluate/flags/none', 404]
      const changed = [30, '/api/auth/logout', 204]
      const evaluated = [200, 304].map((status) => [20, '/ofrep/v1/evaluate/flags', status])
      t.same(seen, level === 'info' ? [refused, changed] : [...evaluated, refused, changed])
    }
  )
}

t.test('every log line is one JSON object, whatever clients send', async (t) => {
  const { log, output } = captureLog()
  const app = await ownApp(t, {}, await testDatabase(t), log)
  for (const [url, agent] of [
    ['/a%0d%0a{"level":60,"msg":"forged"}', 'x'],
    ['/\u001b[2J', 'a'],
    ['/x?canary=1', 'forged\u009b31m'],
    [`/api/${'k7'.repeat(20)}/x`, 'a secret in the wrong place'],
    [`/${'x'.repeat(1500)}`, 'x'.repeat(5000)]
  ] as const) {
    await app.inject({ url, headers: { 'user-agent': agent } })
  }
  const lines = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; path?: string; ip: string })
    .filter(({ msg }) => msg === 'request')
  t.equal(lines.length, 5)
  for (const { path = '', ip } of lines) {
    t.equal(ip, '127.0.0.0', 'the network without the host')
    t.match(path, /^\/[\x21-\x7e]*$/)
    t.notMatch(path, /canary|\w{40}/)
    t.ok(path.length <= 200)
  }
  t.notMatch(output(), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/) // eslint-disable-line no-control-regex
})
