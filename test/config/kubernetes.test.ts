import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { secrets } from '../../src/config/read-environment.ts'
import { environment } from '../../src/config/variables.ts'
import { readPage } from '../support/documents.ts'
import { root } from '../support/root.ts'

// Checks what deploy/kubernetes says about the portal. `npm run check -- formats` checks the rest.
const read = (file: string) => readFileSync(path.join(root, 'deploy/kubernetes', file), 'utf8')

interface Container {
  image: string
  command?: string[]
  volumeMounts: [{ mountPath: string }]
}
interface Probed extends Container {
  ports: { name: string }[]
  livenessProbe: Probe
  readinessProbe: Probe
  startupProbe: Probe
}
interface Probe {
  httpGet: { path: string; port: string }
}
interface Workload<Kind extends Container> {
  spec: {
    template: {
      metadata: { labels: object }
      spec: {
        terminationGracePeriodSeconds?: number
        containers: [Kind]
        volumes: [{ secret: { secretName: string } }]
      }
    }
  }
}
const [config, deployment] = parseAllDocuments(read('portal.yaml')).map(
  (document) => document.toJS() as unknown
) as [{ data: Record<string, string> }, Workload<Probed>]
const job = parse(read('migrate.yaml')) as Workload<Container>
const pod = deployment.spec.template.spec
const [container] = pod.containers
const { paths } = JSON.parse(readPage('openapi/portal.json')) as { paths: object }

t.test(
  'Kubernetes: every variable is one that the portal reads, and secrets are files',
  async (t) => {
    const ofFiles = secrets.map((name) => `${name}_FILE`)
    const known = [...Object.keys(environment.properties), ...ofFiles]
    const names = Object.keys(config.data)
    t.same(
      names.filter((name) => !known.includes(name)),
      []
    )
    t.same(
      names.filter((name) => (secrets as readonly string[]).includes(name)),
      []
    )
    for (const name of ['DATABASE_URL_FILE', 'SECRET_KEYS_FILE']) {
      t.match(config.data[name], `${container.volumeMounts[0].mountPath}/`)
    }
  }
)

t.test('Kubernetes: the probes ask operations of the portal', async (t) => {
  const { livenessProbe, readinessProbe, startupProbe } = container
  t.equal(readinessProbe.httpGet.path, '/health')
  for (const probe of [livenessProbe, startupProbe]) t.equal(probe.httpGet.path, '/health/live')
  t.ok('/health' in paths && '/health/live' in paths)
})

t.test('Kubernetes: an instance has the time to finish its requests', async (t) => {
  // SHUTDOWN_DELAY_SECONDS in production, and then 30 s.
  t.ok((pod.terminationGracePeriodSeconds ?? 0) >= 5 + 30)
})

t.test('Kubernetes: the job migrates with the image that is deployed', async (t) => {
  const [migration] = job.spec.template.spec.containers
  t.same(migration.command, ['portal', 'migrate'])
  t.equal(migration.image, container.image)
})

t.test('Kubernetes: the ingress leads every public path to the portal, and no other', async (t) => {
  interface Route {
    path: string
    backend: { service: { name: string } }
  }
  const { spec } = parse(read('ingress.yaml')) as {
    spec: { rules: [{ http: { paths: Route[] } }] }
  }
  const routes = spec.rules[0].http.paths.filter(({ backend }) => backend.service.name === 'portal')
  const leads = (name: string) =>
    routes.some((route) => name === route.path || name.startsWith(`${route.path}/`))
  const probes = ['/health', '/health/live']
  t.same(
    Object.keys(paths).filter((name) => !leads(name) && !probes.includes(name)),
    []
  )
  // Password managers ask for one that nobody has.
  const nobodys = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  const used = [...Object.keys(paths), nobodys]
  t.same(
    routes.filter((route) => !used.some((name) => name.startsWith(route.path))),
    []
  )
})

t.test('Kubernetes: the secret from a store has the files that the variables name', async (t) => {
  const { spec } = parse(read('external-secret.yaml')) as {
    spec: { target: { name: string }; data: { secretKey: string }[] }
  }
  const named = Object.entries(config.data).filter(([name]) => name.endsWith('_FILE'))
  t.same(
    spec.data.map(({ secretKey }) => secretKey).sort(),
    named.map(([, file]) => path.basename(file)).sort()
  )
  t.equal(spec.target.name, pod.volumes[0].secret.secretName)
})

t.test('Kubernetes: the network policy is about the pods and ports of the instances', async (t) => {
  const { spec } = parse(read('network.yaml')) as {
    spec: {
      podSelector: { matchLabels: object }
      ingress: { ports: { port: string }[] }[]
    }
  }
  t.same(spec.podSelector.matchLabels, deployment.spec.template.metadata.labels)
  t.same(
    spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port)),
    container.ports.map(({ name }) => name)
  )
})
