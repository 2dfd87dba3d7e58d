import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import ts from 'typescript'
import type * as packages from '../../bin/client-package.js'
import { built, root } from '../support/root.ts'

// Chromium walks through the example in `npm run check -- browser`. Here only its types are checked, with the
// packages of the portal's own tests, so that a change of the API or of the client does not break it
// unnoticed.

const { writeClient } = (await import(path.join(root, 'bin/client-package.js'))) as typeof packages

t.test('the example app compiles with the package portal-client', async (t) => {
  const folder = mkdtempSync(path.join(built, 'example-')) // inside the checkout, for the packages
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const source = path.join(root, 'examples/app')
  for (const name of ['src', 'tsconfig.json']) {
    cpSync(path.join(source, name), path.join(folder, name), { recursive: true })
  }
  const client = path.join(folder, 'node_modules/portal-client')
  await writeClient(client)

  const complaints = () => {
    const config = path.join(folder, 'tsconfig.json')
    const { config: json } = ts.readConfigFile(config, (file) => readFileSync(file, 'utf8'))
    const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, folder)
    t.ok(fileNames.length > 10)
    return ts
      .getPreEmitDiagnostics(ts.createProgram(fileNames, options))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  }
  t.same(complaints(), [])
  const file = path.join(client, 'api.d.ts')
  const types = readFileSync(file, 'utf8')
  writeFileSync(file, types.replaceAll('/api/user/security', '/gone'))
  t.ok(complaints().length > 0, 'a path that is gone would be noticed')
})
