import t from 'tap'
import { loadApp } from '../../src/base/load.ts'
import { appFolder, greeter } from '../support/app-folder.ts'

t.test('an app gets the copy of the portal that loads it, not the one beside it', async (t) => {
  const manifest = { name: 'portal', type: 'module', exports: { '.': './index.js' } }
  const folder = appFolder(t, {
    ...greeter,
    'node_modules/portal/package.json': JSON.stringify(manifest),
    'node_modules/portal/index.js': 'export const defineApp = (definition) => definition\n',
    'portal.js': `import { defineApp } from 'portal'
      import * as testing from 'portal/testing'
      export default defineApp({ permissions: { 'kit:use': Object.keys(testing).sort().join(' ') } })`
  })
  const { definition } = await loadApp(folder)
  t.match(definition.permissions?.['kit:use'], /aCaller aClock .* testApp/)
})
