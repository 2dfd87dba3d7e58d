import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { installPackages } from '../support/packages.ts'
import { compileStrictly } from '../openapi/strict.ts'
import { root } from '../support/root.ts'

// The manifests of deploy/kubernetes, with the schemas and types of the API of Kubernetes. The types
// find what the schemas let pass: properties that do not exist.
const packages = await installPackages('formats', 'validate-manifests.js')
interface Manifest {
  apiVersion: string
  kind: string
}
const folder = path.join(root, 'deploy/kubernetes')
const manifests = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')))
  .map((document) => document.toJS() as Manifest)

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
    ['"pathType"', '"type"']
  ])
  t.same(messages, [])
  t.same(unnoticed, [])
})
