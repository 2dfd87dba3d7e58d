// Also on PGlite.

import t from 'tap'
import { freePort } from '../support/postgres.ts'
import { production } from './production-server.ts'
import { portal } from './run.ts'

t.test(
  'an unavailable database is exit code 5, and configuration errors are reported',
  async (t) => {
    const away = {
      ...production(),
      DATABASE_URL: `postgres://portal@127.0.0.1:${await freePort()}/portal`
    }
    t.match(await portal(['user', 'list'], { env: away }), {
      code: 5,
      stderr: /cannot be used: nothing is listening there/
    })
    const weak = await portal(['doctor'], { env: { ...away, SECRET_KEYS: 'k1:short' } })
    t.equal(weak.code, 1)
    t.match(
      weak.stdout,
      /✗ configuration: SECRET_KEYS contains a key of less than 32 bytes\n.*\n✗ database: cannot be used: nothing is listening there/
    )
    const proxied = await portal(['doctor'], {
      env: { ...away, PUBLIC_ORIGIN: 'https://portal.example.com' },
      terminal: true
    })
    t.match(proxied.stdout, /! proxy: PUBLIC_ORIGIN is https and TRUST_PROXY is empty/)
    t.match(await portal(['user', 'list'], { env: {} }), {
      code: 1,
      stderr: /DATABASE_URL is not set/
    })
  }
)
