import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import t from 'tap'
import { fileOf, modes } from '../../openapi/documents.ts'
import ruleset from '../../openapi/spectral.js'

const { Document, Ruleset, Spectral } = spectralCore
const folder = path.join(import.meta.dirname, '../../openapi')

for (const mode of modes) {
  t.test(`Redocly reports nothing about the document of ${mode}`, async (t) => {
    const config = await loadConfig({ configPath: path.join(folder, 'redocly.yaml') })
    const problems = await lint({ ref: fileOf(mode), config })
    t.same(
      problems
        .filter((problem) => !problem.ignored)
        .map((problem) => `${problem.ruleId} ${problem.location[0]?.pointer}: ${problem.message}`),
      []
    )
  })

  t.test(`Spectral and its OWASP rules report nothing about the document of ${mode}`, async (t) => {
    const spectral = new Spectral()
    spectral.setRuleset(new Ruleset(ruleset, { source: path.join(folder, 'spectral.js') }))
    const problems = await spectral.run(
      new Document(readFileSync(fileOf(mode), 'utf8'), parsers.Json, fileOf(mode))
    )
    t.same(
      problems.map((problem) => `${problem.code} ${problem.path.join('/')}: ${problem.message}`),
      []
    )
  })
}

t.test('both linters report mistakes', async (t) => {
  const broken = JSON.parse(readFileSync(fileOf('production'), 'utf8'))
  delete broken.paths['/api/auth/me'].get.operationId
  delete broken.components.schemas.Registration.properties.password.maxLength
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset(ruleset, { source: path.join(folder, 'spectral.js') }))
  const codes = (
    await spectral.run(new Document(JSON.stringify(broken), parsers.Json, fileOf('production')))
  ).map((problem) => problem.code)
  t.ok(codes.includes('operation-operationId'))
  t.ok(codes.includes('owasp:api4:2023-string-limit'))
})
