import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder, until } from '../support/app.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import { leaksIn } from '../support/leaks.ts'
import { freePort } from '../support/postgres.ts'
import { processesDuring } from '../support/process-list.ts'
import { debianProgram } from '../resilience/debian.ts'
import { exampleOf, imported } from './examples.ts'
import { startNginx } from './proxies.ts'
import { aWorld } from './world.ts'

// The examples of docs/do/machines.md: servers behind a proxy and without, and the job in shell.
const world = await aWorld(t)
const ada = await world.signedInUser()
const service = await aService(world.database, world.reader)
const key = await aServiceKey(world.database, service)
const weak = await aServiceKey(world.database, await aService(world.database))
const machines = 'docs/do/machines.md'
type Headers = Record<string, string>
const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })
/** The status and the body. */
async function answerOf(address: string, headers: Headers) {
  const response = await fetch(`http://localhost:${address}`, { headers })
  return `${response.status} ${await response.text()}`
}
const query = '&permission=invoices:read'
const [first] = world.portals
const portal = { 'http://portal.internal:3000': `http://127.0.0.1:${first}` }

/** Runs a program until the test ends. */
function run(program: string, options: string[]) {
  const child = spawn(program, options, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GO111MODULE: 'off' },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}
async function runGo(text: string) {
  const folder = temporaryFolder(t)
  const [file, program] = [path.join(folder, 'service.go'), path.join(folder, 'service')]
  writeFileSync(file, text)
  const build = run(await debianProgram('go', 'golang-go'), ['build', '-o', program, file])
  const [code] = (await once(build, 'exit')) as [number]
  if (code !== 0) throw new Error('the example does not compile')
  run(program, [])
}
async function runPython(text: string) {
  const file = path.join(temporaryFolder(t), 'service.py')
  writeFileSync(file, text)
  run(await debianProgram('python3'), [file])
}

/** Servers that a proxy has told who is calling. */
const behind: Record<string, (port: number) => Promise<unknown>> = {
  async Node(port) {
    const file = path.join(temporaryFolder(t), 'service.mjs')
    writeFileSync(file, exampleOf(machines, "'portal-service': service", ports(port)))
    run(process.execPath, [file])
  },
  Python: (port) => runPython(exampleOf(machines, 'BaseHTTPRequestHandler', ports(port))),
  Go: (port) => runGo(exampleOf(machines, 'r.Header.Get("Portal-Service")', ports(port)))
}
const ports = (port: number) => ({ '4001': String(port) })

/** Servers that ask by themselves. */
const alone: Record<string, (port: number) => Promise<unknown>> = {
  async Node(port) {
    const text = exampleOf(machines, 'export async function machine', portal)
    const { machine } = (await imported('machine-alone', text)) as {
      machine(
        request: IncomingMessage,
        query: string
      ): Promise<{ status: number; service: string | null; user: string | null }>
    }
    const server = createServer(async (request, response) => {
      const { status, service, user } = await machine(request, query)
      const who = service ?? user ?? ''
      response.end(`${status} ${who ?? ''}`)
    })
    server.listen(port, '127.0.0.1')
    t.teardown(() => server.close())
  },
  Python: (port) =>
    runPython(`${exampleOf(machines, 'def machine(', portal)}
from http.server import BaseHTTPRequestHandler, HTTPServer

class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        status, service, user = machine(self.command, self.headers, "${query}")
        who = service or user
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{status} {who or ''}".encode())
    def log_message(self, *_): pass

HTTPServer(("127.0.0.1", ${port}), Service).serve_forever()
`),
  Go: (port) =>
    runGo(`package main

import ("fmt"; "net/http"; "time")

${exampleOf(machines, 'func machine(', portal)}
func main() {
	http.ListenAndServe("127.0.0.1:${port}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, service, user := machine(r, "${query}")
		fmt.Fprintf(w, "%d %s", status, service+user)
	}))
}
`)
}

for (const [language, start] of Object.entries(behind)) {
  t.test(`${language}: a server behind a proxy knows which service calls it`, async (t) => {
    const port = await freePort()
    await start(port)
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined))
    const nginx = await startNginx(
      t,
      { portals: world.portals, service: port },
      { 'permission=invoices:read': 'permission=invoices:read&accept=key' }
    )
    const says = (headers: Headers) => answerOf(`${nginx.port}/api/invoices`, headers)
    t.equal(await says(bearer(key.secret)), `200 service ${service.key}`)
    t.equal(await says({ cookie: ada.cookie }), `200 user ${ada.id}`)
    t.match(await says(bearer(weak.secret)), /^403 /)
    t.match(await says({}), /^401 /)
    t.match(await answerOf(`${port}/`, {}), /^401 /, 'who says nothing is nobody')
  })
}

for (const [language, start] of Object.entries(alone)) {
  t.test(`${language}: a server asks by itself which service calls it`, async (t) => {
    const port = await freePort()
    await start(port)
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined))
    const says = async (headers: Headers) => (await answerOf(`${port}/`, headers)).trim()
    t.equal(await says(bearer(key.secret)), `200 204 ${service.key}`)
    t.equal(await says(bearer(weak.secret)), '200 403')
    t.equal(await says(bearer(`${key.secret}x`)), '200 401')
    t.equal(await says({}), '200 401')
    t.equal(await says({ 'Portal-Service': service.key }), '200 401')
  })
}

t.test('the job in shell reads with its key, and fails when it is revoked', async (t) => {
  const folder = temporaryFolder(t)
  const nginx = await startNginx(
    t,
    { portals: world.portals, service: world.service.port },
    { 'permission=invoices:read': 'permission=invoices:read&accept=key' }
  )
  mkdirSync(path.join(folder, 'lib'))
  writeFileSync(path.join(folder, 'key'), `${key.secret}\n`)
  const script = path.join(folder, 'report.sh')
  writeFileSync(
    script,
    exampleOf(machines, 'cron.daily/report', {
      '/etc/reporting/key': `${folder}/key`,
      '/var/lib/reporting': `${folder}/lib`,
      'https://app.example.com': `http://127.0.0.1:${nginx.port}`,
      '-m 30': "-m 30 -H 'Host: localhost'"
    })
  )
  const job = () => promisify(execFile)('sh', [script])
  const processes = await processesDuring((seen) =>
    until(async () => {
      await job()
      return [...seen].some((line) => line.startsWith('curl '))
    })
  )
  t.same(leaksIn(processes.join('\n'), [key.secret]), [], 'nobody reads the key in the list')
  t.match(readFileSync(path.join(folder, 'lib/invoices.json'), 'utf8'), service.key)
  writeFileSync(path.join(folder, 'key'), weak.secret)
  await t.rejects(job(), { code: 1, stderr: /^invoices: 403 .*permission-denied/ })
})
