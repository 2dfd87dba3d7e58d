import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { unpackedPackages } from '../resilience/debian.ts'
import { temporaryFolder } from '../support/app.ts'
import { installPackages } from '../support/packages.ts'
import { compileStrictly } from '../openapi/strict.ts'
import { root } from '../support/root.ts'

// The manifests of deploy/kubernetes as kubectl renders them, with the schemas and types of the API of
// Kubernetes. The types find what the schemas let pass: properties that do not exist.
const { find } = await unpackedPackages(temporaryFolder(t), ['kubernetes-client'])
const render = (folder: string) =>
  parseAllDocuments(
    execFileSync(find('/usr/bin/kubectl'), ['kustomize', folder], { encoding: 'utf8' })
  ).map((document) => document.toJS() as Manifest)
const packages = await installPackages('formats', 'validate-manifests.js')
interface Manifest {
  apiVersion: string
  kind: string
}
const folder = path.join(root, 'deploy/kubernetes')
const manifests = render(folder)

function mistakesIn(given: unknown[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['validate-manifests.js'], {
    cwd: packages,
    input: JSON.stringify(given),
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as (string | null)[]
}

t.test('the schemas of Kubernetes accept every manifest', async (t) => {
  t.same(manifests.map(({ kind }) => kind).sort(), [
    'ConfigMap',
    'Deployment',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service'
  ])
  t.same(
    mistakesIn(manifests).filter((mistake) => mistake),
    []
  )
})

t.test('the schemas of Kubernetes reject a wrong type and a missing property', async (t) => {
  const text = JSON.stringify(manifests.find(({ kind }) => kind === 'Deployment'))
  const wrong = [
    text.replace('"replicas":2', '"replicas":"two"'),
    text.replace(/"selector":\{[^}]*\}\},/, '')
  ]
  t.notOk(wrong.includes(text))
  const mistakes = mistakesIn(wrong.map((each) => JSON.parse(each) as unknown))
  t.match(mistakes[0], /replicas/)
  t.match(mistakes[1], /selector/)
})

t.test('the types of Kubernetes know every property of the manifests', async (t) => {
  const client = mkdtempSync(path.join(packages, 'manifests-'))
  t.teardown(() => rmSync(client, { recursive: true, force: true }))
  mkdirSync(path.join(client, 'generated'))
  const sources = manifests.map((manifest, index) => {
    const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)}\n`
  })
  writeFileSync(path.join(client, 'client.ts'), sources.join(''))
  const { messages, unnoticed } = compileStrictly(client, 'client.ts', [
    ['"readinessProbe"', '"readynessProbe"'],
    ['"readOnlyRootFilesystem"', '"readOnlyFilesystem"'],
    ['"pathType"', '"type"'],
    ['"namespaceSelector"', '"namespace"']
  ])
  t.same(messages, [])
  t.same(unnoticed, [])
})

t.test('a folder of your own changes the image of the instances and of the job', async (t) => {
  const own = mkdtempSync(path.join(packages, 'own-'))
  t.teardown(() => rmSync(own, { recursive: true, force: true }))
  // The word for folders that kubectl of Debian 12 knows as well.
  writeFileSync(
    path.join(own, 'kustomization.yaml'),
    `bases: [${path.relative(own, folder)}]
images: [{ name: registry.example.com/portal, newName: example.org/portal, newTag: 1.2.3 }]
`
  )
  const images = [...JSON.stringify(render(own)).matchAll(/"image":"([^"]+)"/g)]
  t.same(
    images.map(([, image]) => image),
    ['example.org/portal:1.2.3', 'example.org/portal:1.2.3']
  )
})
