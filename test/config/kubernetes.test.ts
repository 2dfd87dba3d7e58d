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
  livenessProbe: Probe
  readinessProbe: Probe
  startupProbe: Probe
}
interface Probe {
  httpGet: { path: string; port: string }
}
interface Workload<Kind extends Container> {
  spec: {
    template: { spec: { terminationGracePeriodSeconds?: number; containers: [Kind] } }
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
