import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { fileOf, modes } from '../../openapi/documents.ts'
import { root } from '../support/root.ts'
import { installPackages } from './packages.ts'

const folder = path.join(root, 'openapi')
const packages = await installPackages('linters', 'lint.js')
cpSync(path.join(folder, 'spectral.js'), path.join(packages, 'spectral.js'))

/** What Redocly and Spectral say of a document: rule, place and problem. */
async function problemsOf(document: string) {
  const args = ['lint.js', document, folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packages })
  return JSON.parse(stdout) as string[]
}

for (const mode of modes) {
  t.test(
    `Redocly, and Spectral with the rules of OWASP, accept the document of ${mode}`,
    async (t) => {
      // The exceptions name the files of the checkout, not their copies beside this test.
      t.same(await problemsOf(path.join(folder, path.basename(fileOf(mode)))), [])
    }
  )
}

t.test('both linters report mistakes', async (t) => {
  const broken = JSON.parse(readFileSync(fileOf('production'), 'utf8'))
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
