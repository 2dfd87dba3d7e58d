import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { documentOf } from '../../src/document.ts'
import { root } from '../support/root.ts'
import { installPackages } from '../support/packages.ts'

const packages = await installPackages('linters', 'lint.js')
for (const name of ['spectral.js', 'redocly.yaml', '.redocly.lint-ignore.yaml']) {
  cpSync(path.join(root, 'openapi', name), path.join(packages, name))
}
const documents = {
  'portal.json': await documentOf('production'),
  'portal.dev.json': await documentOf('development', { commands: true })
}

/** The findings of Redocly and Spectral in a document: rule, place and problem. */
async function problemsOf(document: string) {
  const args = ['lint.js', document, packages]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packages })
  return JSON.parse(stdout) as string[]
}

for (const [name, text] of Object.entries(documents)) {
  t.test(`Redocly, and Spectral with the rules of OWASP, accept ${name}`, async (t) => {
    const file = path.join(packages, name) // beside the exceptions, which name it
    writeFileSync(file, text)
    t.same(await problemsOf(file), [])
  })
}

t.test('both linters report mistakes', async (t) => {
  const broken = JSON.parse(documents['portal.json'])
  delete broken.paths['/api/auth/me'].get.operationId
  delete broken.components.schemas.Registration.properties.password.maxLength
  delete broken.paths['/api/auth/me'].get.summary
  const file = path.join(mkdtempSync(path.join(packages, 'broken-')), 'portal.json')
  t.teardown(() => rmSync(path.dirname(file), { recursive: true, force: true }))
  writeFileSync(file, JSON.stringify(broken))
  const rules = (await problemsOf(file)).map((problem) => problem.split(' ', 1)[0])
  t.ok(rules.includes('operation-summary'), 'Redocly')
  t.ok(rules.includes('operation-operationId'), 'Spectral')
  t.ok(rules.includes('owasp:api4:2023-string-limit'), 'its rules of OWASP')
})
