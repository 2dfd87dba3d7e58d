import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { Test } from 'tap'
import { debianProgram } from '../resilience/debian.ts'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'

// Drives Firefox and WebKitGTK of Debian by WebDriver (https://www.w3.org/TR/webdriver): WebKitGTK over
// HTTP, and Firefox over TCP, because Debian does not have the geckodriver that translates.

/** Method and path of a command below the session, and its name in Firefox. */
const commands = {
  open: ['POST', '/url', 'Navigate'],
  find: ['POST', '/element', 'FindElement'],
  click: ['POST', '/element/{id}/click', 'ElementClick'],
  clear: ['POST', '/element/{id}/clear', 'ElementClear'],
  type: ['POST', '/element/{id}/value', 'ElementSendKeys'],
  run: ['POST', '/execute/sync', 'ExecuteScript'],
  cookies: ['GET', '/cookie', 'GetCookies'],
  clearCookies: ['DELETE', '/cookie', 'DeleteAllCookies'],
  tab: ['GET', '/window', 'GetWindowHandle'],
  newTab: ['POST', '/window/new', 'NewWindow'],
  toTab: ['POST', '/window', 'SwitchToWindow']
} as const

type Command = keyof typeof commands
/** Resolves with the value of the response. Rejects with what the browser says. */
export type Send = (command: Command, params?: Record<string, unknown>) => Promise<unknown>
type Closing = Pick<Test, 'teardown'>

export async function startWebKit(t: Closing): Promise<Send> {
  const display = await startDisplay(t)
  const program = await debianProgram('WebKitWebDriver', 'webkit2gtk-driver')
  const port = await freePort()
  const env = { ...process.env, DISPLAY: display, HOME: temporaryFolder(t) }
  endWith(t, spawn(program, [`--port=${port}`], { env, stdio: 'ignore' }))
  const ask = async (method: string, at: string, body?: object) => {
    const sent = { method, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`http://127.0.0.1:${port}${at}`, sent)
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(JSON.stringify(value))
    return value
  }
  await until(() => ask('GET', '/status').catch(() => false))
  const { sessionId } = (await ask('POST', '/session', { capabilities: {} })) as {
    sessionId: string
  }
  t.teardown(() => ask('DELETE', `/session/${sessionId}`))
  return (command, { id, ...params } = {}) => {
    const [method, at] = commands[command]
    const url = `/session/${sessionId}${at.replace('{id}', String(id))}`
    return ask(method, url, method === 'POST' ? params : undefined)
  }
}

/** A screen that nobody sees. Returns its name. */
async function startDisplay(t: Closing) {
  const program = await debianProgram('Xvfb', 'xvfb')
  const server = spawn(program, ['-displayfd', '1', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  endWith(t, server)
  const [number] = (await once(server.stdout, 'data')) as [Buffer]
  return `:${String(number).trim()}`
}

/** Its protocol is called Marionette: `length:[0, number, name, parameters]`, and back likewise. */
export async function startFirefox(t: Closing): Promise<Send> {
  const profile = temporaryFolder(t)
  writeFileSync(path.join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n')
  const program = await debianProgram('firefox-esr')
  const args = ['--headless', '--marionette', '--no-remote', '--profile', profile]
  endWith(t, spawn(program, args, { env: { ...process.env, HOME: profile }, stdio: 'ignore' }))
  const portFile = path.join(profile, 'MarionetteActivePort')
  const port = await until(() => existsSync(portFile) && Number(readFileSync(portFile, 'utf8')))
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  t.teardown(() => socket.destroy())
  const waiting = new Map<number, (error: object | null, value: unknown) => void>()
  onMessage(socket, (message) => {
    if (!Array.isArray(message)) return // the greeting
    const [, number, error, value] = message as [1, number, object | null, unknown]
    waiting.get(number)?.(error, value)
    waiting.delete(number)
  })
  let count = 0
  const ask = (name: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      const number = ++count
      waiting.set(number, (error, value) =>
        error ? reject(new Error(JSON.stringify(error))) : resolve(value)
      )
      const text = JSON.stringify([0, number, `WebDriver:${name}`, params])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
  await ask('NewSession', {})
  return async (command, params = {}) => {
    const value = await ask(commands[command][2], params)
    const isWrapped = typeof value === 'object' && value !== null && 'value' in value
    return isWrapped ? value.value : value
  }
}

function onMessage(socket: ReturnType<typeof connect>, take: (message: unknown) => void) {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
      const end = colon + 1 + Number(rest.subarray(0, colon))
      if (rest.length < end) return
      const message = rest.subarray(colon + 1, end)
      rest = rest.subarray(end)
      take(JSON.parse(message.toString()))
    }
  })
}

/** Ends the process with the test, before what it uses is removed. */
function endWith(t: Closing, child: ChildProcess) {
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill()
    await ended
  })
}
