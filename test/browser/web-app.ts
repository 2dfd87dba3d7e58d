import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Listens on a free port of this machine, until the test ends. */
export async function serve(t: Test, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** The network between a page and the portal. A slow one delivers responses in another order. */
export interface Network {
  is: 'fast' | 'slow' | 'lost'
}

/**
 * The proxy in front of an app and a portal that share an origin: it serves these files of the app,
 * by their paths, an empty page for all others, and the portal at `/api` and `/ofrep`. The policy of
 * its pages is the strictest that an app can have.
 * @param portal the port of the portal, once it has one
 */
export function startProxy(
  t: Test,
  files: ReadonlyMap<string, string>,
  portal: () => number,
  network: Network = { is: 'fast' }
) {
  let count = 0
  return serve(t, (request, response) => {
    const { method, url = '/', headers } = request
    if (/^\/(api|ofrep)\//.test(url)) {
      if (network.is === 'lost') {
        request.destroy()
        return
      }
      const delay = network.is === 'slow' ? [400, 100][count++ % 2] : 0
      const target = { host: '127.0.0.1', port: portal(), path: url, method, headers }
      const forward = httpRequest(target, (answer) => {
        setTimeout(() => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }, delay)
      })
      forward.on('error', () => response.destroy()) // the portal ends before its pages do
      request.pipe(forward)
      return
    }
    const file = files.get(url)
    response.writeHead(200, {
      'content-type': `text/${file === undefined ? 'html' : 'javascript'}; charset=utf-8`,
      'content-security-policy':
        "default-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    })
    response.end(
      file ??
        '<!doctype html><title>The app</title><form><input autocomplete="username webauthn"></form>' +
          (url.startsWith('/page') ? '<script type="module" src="/app.js"></script>' : '')
    )
  })
}

/**
 * An app with its account pages, on another port than the portal: `/register` and `/confirm`. It
 * keeps the requests that it got.
 * @param portal the address of the portal, once it has one
 */
export async function startWebApp(t: Test, portal: () => string) {
  const requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  const origin = await serve(t, (request, response) => {
    const { method, url = '/', headers } = request
    requests.push({ method, url, headers })
    const page = pages[url.split('?')[0] ?? '']
    response.writeHead(page ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'access-control-allow-origin': '*'
    })
    response.end(page && document(portal(), page))
  })
  return { origin, requests }
}

const document = (portal: string, page: string) => `<!doctype html>
<title>The app</title>
${page}
<output></output>
<script>
const form = document.querySelector('form')
const output = document.querySelector('output')
const call = (method, path, body) =>
  fetch(${JSON.stringify(portal)} + path, {
    method,
    credentials: 'include',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  output.textContent = ''
  output.textContent = await submit(Object.fromEntries(new FormData(form)))
})
</script>
`

const pages: Record<string, string> = {
  '/register': `<form>
<input name="name"><input name="email"><input name="password" type="password"><button>Register</button>
</form>
<script>
async function submit(fields) {
  const registered = await call('POST', '/api/auth/register', fields)
  return 'register ' + registered.status
}
</script>`,
  '/confirm': `<form>
<input name="password" type="password"><button>Confirm</button>
</form>
<script>
const token = new URLSearchParams(location.search).get('token')
history.replaceState(null, '', location.pathname)
async function submit({ password }) {
  const confirmed = await call('POST', '/api/auth/confirm', { token, password })
  const me = await call('GET', '/api/auth/me')
  const email = me.ok ? (await me.json()).user.email : 'nobody'
  return 'confirm ' + confirmed.status + ', me ' + me.status + ', ' + email
}
</script>`
}
