import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'
import { setUp } from './set-up.js'

// npm start: the portal from this repository in development, the service, and Vite in front of both.
const { PORT = '5173', PORTAL_PORT = '3000' } = process.env
const origin = `http://localhost:${PORT}`
const portal = `http://localhost:${PORTAL_PORT}`
const children = []

function start(script, env) {
  const options = { cwd: import.meta.dirname, stdio: 'inherit', env: { ...process.env, ...env } }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script)], options)
  children.push(child)
  // Nothing works with a part missing.
  child.once('exit', (code) => process.exit(code ?? 1))
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0))

start('../../bin/dev.js', {
  NODE_ENV: 'development',
  PORT: PORTAL_PORT,
  // The address that the browser sees: links in mail and passkeys use it.
  PUBLIC_ORIGIN: origin,
  EMAIL_VERIFICATION: 'required'
})
start('service/server.js', { PORTAL_URL: portal })
await setUp(portal)
const vite = await createServer({ root: import.meta.dirname })
await vite.listen()
console.log(`\nThe app: ${origin}. Mail to its users: ${origin}/mail\n`)
