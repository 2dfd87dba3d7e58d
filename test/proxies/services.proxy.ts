import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { debianProgram } from '../resilience/debian.ts'
import { ask } from './asking.ts'
import { example, imported } from './examples.ts'
import { aWorld } from './world.ts'

// Services that ask by themselves, with the examples of docs/do/services.md. Each answers with what
// its example returned.
const world = await aWorld(t)
const ada = await world.signedInUser()
const bob = await world.signedInUser([])
const query = '?permission=invoices:read'
const noPortal = await freePort()

type Start = (portal: string) => Promise<number>
const services: Record<string, Start> = {
  async Node(portal) {
    const text = example('AbortSignal.timeout', { 'http://portal.internal:3000': portal })
    const { caller } = (await imported(`caller-${new URL(portal).port}`, text)) as {
      caller(request: IncomingMessage, query: string): Promise<{ status: number; user: string }>
    }
    const server = createServer(async (request, response) => {
      const { status, user } = await caller(request, query)
      response.end(`${status} ${user ?? ''}`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    return (server.address() as AddressInfo).port
  },

  async Python(portal) {
    const port = await freePort()
    const file = path.join(temporaryFolder(t), 'service.py')
    writeFileSync(
      file,
      `${example('urlopen(check', { 'http://portal.internal:3000': portal })}
from http.server import BaseHTTPRequestHandler, HTTPServer

class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        status, user = caller(self.command, self.headers, "${query}")
        text = f"{status} {user or ''}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    do_POST = do_GET
    def log_message(self, *_): pass

HTTPServer(("127.0.0.1", ${port}), Service).serve_forever()
`
    )
    run(await debianProgram('python3'), [file])
    return port
  },

  async Go(portal) {
    const port = await freePort()
    const folder = temporaryFolder(t)
    writeFileSync(
      path.join(folder, 'service.go'),
      `package main

import ("fmt"; "net/http"; "time")

${example('http.NewRequestWithContext', { 'http://portal.internal:3000': portal })}
func main() {
	http.ListenAndServe("127.0.0.1:${port}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, user := caller(r, "${query}")
		fmt.Fprintf(w, "%d %s", status, user)
	}))
}
`
    )
    const program = path.join(folder, 'service')
    const build = run(await debianProgram('go', 'golang-go'), [
      'build',
      '-o',
      program,
      path.join(folder, 'service.go')
    ])
    const [code] = (await once(build, 'exit')) as [number]
    if (code !== 0) throw new Error('the example does not compile')
    run(program, [])
    return port
  }
}

/** Runs a program until the test ends, without proxies of this machine. */
function run(program: string, options: string[]) {
  const child = spawn(program, options, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GO111MODULE: 'off' },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

for (const [language, start] of Object.entries(services)) {
  t.test(`${language}: a service asks by itself`, async (t) => {
    const port = await start(`http://127.0.0.1:${world.portals[0]}`)
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined))
    const says = async (sent: Parameters<typeof ask>[2]) => (await ask(port, [], sent)).body.trim()
    const { cookie } = ada
    t.equal(await says({ cookie }), `204 ${ada.id}`)
    t.equal(await says({ cookie, method: 'POST', body: '{}' }), `204 ${ada.id}`)
    t.equal(await says({}), '401')
    t.equal(await says({ cookie: bob.cookie }), '403')
    for (const foreign of [
      ['Origin', 'https://evil.example'],
      ['Sec-Fetch-Site', 'cross-site']
    ] as [string, string][]) {
      t.equal(await says({ cookie, method: 'POST', headers: [foreign] }), '403', foreign[0])
      t.equal(await says({ cookie, headers: [foreign] }), `204 ${ada.id}`)
    }
    const named: [string, string][] = [
      ['X-Original-Method', 'GET'],
      ['X-Forwarded-Method', 'GET'],
      ['Sec-Fetch-Site', 'cross-site']
    ]
    t.equal(await says({ cookie, method: 'POST', headers: named }), '403')
    const headers: [string, string][] = [['Portal-User', ada.id]]
    t.equal(await says({ headers }), '401')
  })

  t.test(`${language}: without a portal it is no yes`, async (t) => {
    const port = await start(`http://127.0.0.1:${noPortal}`)
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined))
    t.match(await ask(port, [], { cookie: ada.cookie }), { body: /^503 ?$/ })
  })
}
