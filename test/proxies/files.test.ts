import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { checkAnswer } from '../../src/schemas/checks.ts'
import { root } from '../support/root.ts'

// Reads the files of deploy/ for proxies, also those of proxies that no test starts.
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8')

t.test('nginx and Caddy replace every header in which the portal describes a user', async (t) => {
  const names = Object.keys(checkAnswer)
  t.ok(names.length >= 8)
  for (const name of names) {
    const variable = name.toLowerCase().replaceAll('-', '_')
    t.match(read('nginx/checked.conf'), `auth_request_set $${variable} $upstream_http_${variable};`)
    t.match(read('nginx/checked.conf'), `proxy_set_header ${name} $${variable};`)
    t.match(read('Caddyfile'), `request_header ${name} {rp.header.${name}}`)
  }
})

t.test(
  'every proxy leaves the addresses that password managers ask for to the portal',
  async (t) => {
    for (const file of ['nginx.conf', 'haproxy.cfg', 'Caddyfile', 'envoy.yaml', 'traefik.yaml']) {
      const line = read(file)
        .split('\n')
        .find((each) => each.includes('openapi'))
      t.match(line, /\bchange-password\b/, file)
      t.match(line, /\bpasskey-endpoints\b/, file)
      t.match(line, 'resource-that-should-not-exist-whose-status-code-should-not-be-200', file)
    }
  }
)

t.test('Traefik: every router but that of the portal removes the cookies', async (t) => {
  interface Router {
    rule: string
    service: string
    middlewares?: string[]
  }
  const { http } = parse(read('traefik.yaml')) as {
    http: {
      routers: Record<string, Router>
      middlewares: Record<string, { headers?: { customRequestHeaders?: object } }>
      services: object
    }
  }
  t.same(http.middlewares['no-cookie'], { headers: { customRequestHeaders: { Cookie: '' } } })
  const others = Object.entries(http.routers).filter(([, router]) => router.service !== 'portal')
  t.same(new Set(others.map(([, { service }]) => service)), new Set(['app', 'invoices']))
  for (const [name, { middlewares = [] }] of others) {
    t.equal(middlewares.at(-1), 'no-cookie', name)
  }
  for (const { service } of Object.values(http.routers)) t.ok(service in http.services)
})

t.test('Envoy: only the route of the portal is exempt from the filter', async (t) => {
  interface Route {
    route: { cluster: string }
    metadata?: { filter_metadata: Record<string, Record<string, unknown>> }
  }
  const lua = 'envoy.filters.http.lua'
  const { static_resources: all } = parse(read('envoy.yaml')) as {
    static_resources: {
      listeners: [{ filter_chains: [{ filters: [{ typed_config: Manager }] }] }]
      clusters: { name: string }[]
    }
  }
  interface Manager {
    route_config: { virtual_hosts: { routes: Route[] }[] }
    http_filters: { name: string }[]
  }
  const manager = all.listeners[0].filter_chains[0].filters[0].typed_config
  t.same(
    manager.http_filters.map(({ name }) => name),
    [lua, 'envoy.filters.http.router']
  )
  const routes = manager.route_config.virtual_hosts.flatMap((host) => host.routes)
  t.same(
    routes.map(({ route, metadata }) => [route.cluster, metadata?.filter_metadata[lua] ?? {}]),
    [
      ['portal', { gets_session: true }],
      ['invoices', { check: '/api/auth/check?permission=invoices:read' }],
      ['app', {}]
    ]
  )
  t.same(
    all.clusters.map(({ name }) => name),
    ['portal', 'invoices', 'app']
  )
})
