import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { certificateFor } from '../support/certificate.ts'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { debianProgram } from '../resilience/debian.ts'
import { root } from '../support/root.ts'

/** Ports behind a proxy. */
export interface Behind {
  /** Ports of the two instances. */
  portals: readonly [number, number]
  /** Port of the service `invoices`. */
  service: number
}

/** A test, or a measurement. */
type Ending = Pick<Test, 'teardown'>

export interface Proxy {
  name: 'nginx' | 'HAProxy' | 'Caddy'
  port: number
}

/** The host in `deploy/nginx.conf`. */
const host = 'portal.example.com'

export const appPage = '<!doctype html><title>The app</title>'

/**
 * Starts nginx with `deploy/nginx.conf`: only addresses, ports and folders are filled in. Without
 * `tls` the port of https has http.
 * @param modules files
 */
export async function startNginx(
  t: Ending,
  behind: Behind,
  changes: Record<string, string> = {},
  tls = false,
  modules: string[] = []
): Promise<Proxy & { plainPort: number; cert: string }> {
  const [port, plainPort] = [await freePort(), await freePort()]
  const folder = temporaryFolder(t)
  const { key, cert } = certificateFor(host)
  mkdirSync(path.join(folder, 'app'))
  writeFileSync(path.join(folder, 'app/index.html'), appPage)
  cpSync(path.join(root, 'deploy/nginx'), path.join(folder, 'portal'), { recursive: true })
  mkdirSync(path.join(folder, 'portal/tls'))
  writeFileSync(path.join(folder, 'portal/tls/privkey.pem'), key)
  writeFileSync(path.join(folder, 'portal/tls/fullchain.pem'), cert)
  writeFileSync(
    path.join(folder, 'app.conf'),
    filled('deploy/nginx.conf', {
      ...addresses(behind),
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen 443 ssl;': `listen 127.0.0.1:${port}${tls ? ' ssl' : ''};`,
      'listen [::]:80;': '',
      'listen [::]:443 ssl;': '',
      '/etc/nginx/portal': `${folder}/portal`,
      '/var/www/html': `${folder}/app`,
      'root /srv/app;': `root ${folder}/app;`,
      ...changes
    })
  )
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    // The workers must be able to read the folder.
    `${modules.map((file) => `load_module ${file};`).join(' ')}
    user root; daemon off; worker_processes 2; pid ${folder}/pid;
    events { worker_connections 1000; }
    http { include /etc/nginx/mime.types; access_log off; ${places.join(' ')} include app.conf; }`
  )
  const file = path.join(folder, 'nginx.conf')
  const program = await debianProgram('nginx')
  await start(t, program, ['-e', path.join(folder, 'error.log'), '-p', folder, '-c', file], port)
  return { name: 'nginx', port, plainPort, cert }
}

/** Starts HAProxy with `deploy/haproxy.cfg` and `deploy/portal.lua`, filled in likewise. */
export async function startHaproxy(
  t: Test,
  behind: Behind & { app: number },
  changes: Record<string, string> = {}
): Promise<Proxy> {
  const [port, checks] = [await freePort(), await freePort()]
  const folder = temporaryFolder(t)
  const script = path.join(folder, 'portal.lua')
  const changed = { '127.0.0.1:8082': `127.0.0.1:${checks}` }
  writeFileSync(script, filled('deploy/portal.lua', changed))
  const text = filled('deploy/haproxy.cfg', {
    ...addresses(behind),
    ...changed,
    'bind :8080': `bind 127.0.0.1:${port}`,
    '127.0.0.1:8000': `127.0.0.1:${behind.app}`,
    '/etc/haproxy/portal.lua': script,
    ...changes
  })
  await runHaproxy(t, text, port)
  return { name: 'HAProxy', port }
}

/** Starts Caddy with `deploy/Caddyfile`, filled in likewise and without TLS. */
export async function startCaddy(
  t: Test,
  behind: Behind,
  changes: Record<string, string> = {}
): Promise<Proxy> {
  const port = await freePort()
  const folder = temporaryFolder(t)
  mkdirSync(path.join(folder, 'app'))
  writeFileSync(path.join(folder, 'app/index.html'), appPage)
  const file = path.join(folder, 'Caddyfile')
  const text = filled('deploy/Caddyfile', {
    ...addresses(behind),
    'portal.example.com {': `http://localhost:${port} {`,
    'https:// {': `http://:${port} {`,
    '/srv/app': `${folder}/app`,
    ...changes
  })
  const log = `log {\noutput file ${folder}/log\n}`
  const options = `admin off\nauto_https off\ndefault_bind 127.0.0.1\n${log}`
  writeFileSync(file, `{\n${options}\n}\n${text}`)
  const program = await debianProgram('caddy')
  // Where it keeps its state.
  const env = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  await start(t, program, ['run', '--adapter', 'caddyfile', '--config', file], port, env)
  return { name: 'Caddy', port }
}

/** Runs HAProxy with this configuration until the test ends. */
export async function runHaproxy(t: Test, text: string, port: number) {
  const file = path.join(temporaryFolder(t), 'haproxy.cfg')
  writeFileSync(file, text)
  await start(t, await debianProgram('haproxy'), ['-db', '-f', file], port)
}

const addresses = ({ portals: [one, other], service }: Behind) => ({
  '127.0.0.1:3001': `127.0.0.1:${one}`,
  '127.0.0.1:3002': `127.0.0.1:${other}`,
  '127.0.0.1:4001': `127.0.0.1:${service}`
})

/** A shipped file with other texts in place of these. Throws when it does not contain one. */
export function filled(file: string, changes: Record<string, string>) {
  let text = readFileSync(path.join(root, file), 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

async function start(
  t: Ending,
  program: string,
  options: string[],
  port: number,
  env: Record<string, string> = {}
) {
  const child = spawn(program, options, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit']
  })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM') // with SIGKILL the workers of nginx would stay
    await exit
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    return fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
  })
}
