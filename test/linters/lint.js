import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import ruleset from './spectral.js'

// Prints what two linters say of an API document: node lint.js DOCUMENT FOLDER. FOLDER has the
// configuration of both. The test copies this file to where the packages of this folder are installed.

const { Document, Ruleset, Spectral } = spectralCore
const [, , document, folder] = process.argv

const config = await loadConfig({ configPath: path.join(folder, 'redocly.yaml') })
const redocly = (await lint({ ref: document, config })).filter((problem) => !problem.ignored)

const spectral = new Spectral()
// The exceptions name files relative to the rules.
spectral.setRuleset(new Ruleset(ruleset, { source: path.join(folder, 'spectral.js') }))
const text = readFileSync(document, 'utf8')
const problems = await spectral.run(new Document(text, parsers.Json, document))

const result = [
  ...redocly.map(({ ruleId, location, message }) => [ruleId, location[0]?.pointer, message]),
  ...problems.map(({ code, path, message }) => [code, path.join('/'), message])
]
process.stdout.write(JSON.stringify(result.map((each) => each.join(' '))))
