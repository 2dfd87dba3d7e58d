import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'
import { testServer } from './support/test-server.ts'

await testServer() // the process below uses the same

t.test(
  'a response that the OpenAPI document does not declare fails the test that received it',
  async (t) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.join(import.meta.dirname, 'support/violation.js')],
      { encoding: 'utf8' }
    )
    t.equal(status, 1)
    t.match(stdout, /^ {8}not ok 1 - GET \/health\/live 200: status is not declared$/m)
    t.match(
      stdout,
      /^ {8}not ok 1 - POST \/api\/auth\/login 200: sets a cookie that is not declared$/m
    )
    t.match(
      stdout,
      /^ {8}not ok \d - POST \/api\/auth\/login 401: data\/code must be equal to one of the allowed/m
    )
    const results = [
      ...stdout.matchAll(/^ *((?:not )?ok) \d+ - (an? .*response.*|outer) # time=/gm)
    ].map(([, result, name]) => `${name}: ${result}`)
    t.same(results, [
      'a documented response: ok',
      'an undocumented response: not ok',
      'a response with an undocumented code: not ok',
      'a response with an undocumented cookie: not ok',
      'outer: not ok'
    ])
  }
)
