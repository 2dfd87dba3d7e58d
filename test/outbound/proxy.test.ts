// Not on PGlite: it uses no database.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { knowsProxies } from '../../src/config/config.ts'
import { root } from '../support/root.ts'

const skip = !knowsProxies() && 'this Node has no NODE_USE_ENV_PROXY'
t.test('calls of providers go through HTTPS_PROXY, if Node may use it', { skip }, async (t) => {
  const asked: string[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(String(url))
    socket.end('HTTP/1.1 502 No\r\n\r\n')
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => proxy.close())
  const { port } = proxy.address() as AddressInfo
  const module = path.join(root, '.build/src/outbound/fetch.js')
  const script =
    `const { createFetch } = await import(${JSON.stringify(module)})\n` +
    "await createFetch({ development: false })('https://issuer.example/').catch(() => {})"
  for (const [NODE_USE_ENV_PROXY, expected] of [
    ['0', []],
    ['1', ['issuer.example:443']]
  ] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_USE_ENV_PROXY }
    })
    await once(child, 'close')
    t.same(asked, expected)
  }
})
