import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { compileStrictly } from '../openapi/strict.ts'
import { installPackages } from '../support/packages.ts'
import { root } from '../support/root.ts'

t.test('the types of Grafana know every property of the dashboard', async (t) => {
  const packages = await installPackages('formats')
  const folder = mkdtempSync(path.join(packages, 'dashboard-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'generated'))
  const text = readFileSync(path.join(root, 'deploy/grafana-dashboard.json'), 'utf8')
  const type = `import('@grafana/schema').Dashboard`
  writeFileSync(path.join(folder, 'client.ts'), `export const dashboard: ${type} = ${text}`)
  const { messages, unnoticed } = compileStrictly(folder, 'client.ts', [
    ['"fieldConfig"', '"fields"'],
    ['"schemaVersion"', '"version"'],
    ['"type": "datasource"', '"type": "source"'],
    ['"gridPos"', '"position"']
  ])
  t.same(messages, [])
  t.same(unnoticed, [])
})
