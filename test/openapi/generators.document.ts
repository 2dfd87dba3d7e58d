import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import openapiTs, { astToString } from 'openapi-typescript'
import t from 'tap'
import type { Test } from 'tap'
import { documentOf } from '../../src/document.ts'
import type { Job } from '../generators/job.ts'
import { aUser, freshEmail, password, ownApp, testDatabase } from '../support/app.ts'
import { root } from '../support/root.ts'
import { userPermissions } from '../support/permissions.ts'
import { anAppFor } from '../support/second-factors.ts'
import { installPackages } from '../support/packages.ts'
import { compileStrictly } from './strict.ts'
import type { Mistake } from './strict.ts'

// Clients as developers of an app would generate them. Each compiles and does the main job:
// register, sign in, change the name and the theme, be refused, sign out, use a second factor.

const database = await testDatabase(t)
const app = await ownApp(t, {}, database)
await app.listen({ host: '127.0.0.1', port: 0 })
const packages = await installPackages('generators', 'generate.js')
const document = path.join(packages, 'portal.json')
writeFileSync(document, await documentOf('production', { commands: true }))

/** Generates a client of the API document into a folder. */
const generate = (generator: 'hey-api' | 'orval', document: string, folder: string) =>
  promisify(execFile)(process.execPath, ['generate.js', generator, document, folder], {
    cwd: packages
  })

/** A folder with the files of a client, where the packages of generators are found. */
function folderWith(t: Test, ...files: string[]) {
  const folder = mkdtempSync(path.join(packages, 'client-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'generated'))
  for (const file of ['job.ts', ...files]) {
    cpSync(path.join(root, 'test/generators', file), path.join(folder, file))
  }
  return folder
}

async function run(folder: string, client: string) {
  const outfile = path.join(folder, 'client.mjs')
  await build({
    entryPoints: [path.join(folder, client)],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    logLevel: 'error'
  })
  const { mainJob } = (await import(outfile)) as {
    mainJob(job: Job): Promise<Record<string, unknown>>
  }
  const email = freshEmail()
  const user = await aUser(database)
  const { code } = await anAppFor(app, user)
  const { answers, ...result } = await mainJob({
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    account: { email, password },
    secure: { email: user.email, password },
    code
  })
  return { email, result, answers: answers as [answer: unknown, parsed: unknown][] }
}

const expected = {
  visitor: null,
  taken: true,
  wrong: true,
  name: 'Ada King',
  theme: 'dark',
  refused: [['/timeZone', true]],
  session: ['Ada King', 'dark'],
  signedOut: 204,
  after: true,
  step: ['totp'],
  assurance: 2
}
/**
 * Each client has these parts. The last four are codes that the operation or the field never has.
 */
const mistakes: Mistake[] = [
  ["theme: 'dark'", "theme: 'pink'"],
  ["satisfies 'light' | 'dark' | 'system'", "satisfies 'light' | 'dark'"],
  ['user.email', 'user.passwordHash'],
  ['satisfies 1 | 2', 'satisfies 1'],
  ["=== 'email-taken'", "=== 'email-token'"],
  ["=== 'email-taken'", "=== 'unauthenticated'"],
  ["=== 'invalid-credentials'", "=== 'email-taken'"],
  ["=== 'invalid-time-zone'", "=== 'invalid-timezone'"]
]

t.test('a client with types of openapi-typescript', async (t) => {
  const folder = folderWith(t, 'openapi-fetch.ts')
  const types = astToString(await openapiTs(await documentOf('development', { commands: true })))
  writeFileSync(path.join(folder, 'generated/portal.d.ts'), types)
  t.same(
    compileStrictly(folder, 'openapi-fetch.ts', [
      ...mistakes,
      ["'/api/user/theme'", "'/api/user/thema'"],
      ["sort: '-createdAt'", "sort: 'password'"],
      ["=== 'permission-denied'", "=== 'forbidden'"]
    ]),
    { messages: [], unnoticed: [] }
  )
  const { email, result } = await run(folder, 'openapi-fetch.ts')
  t.same(result, {
    ...expected,
    registered: email,
    permissions: userPermissions,
    locale: 'en-GB',
    current: true,
    denied: true
  })
})

t.test('a client of hey-api that checks requests and responses with Zod', async (t) => {
  const folder = folderWith(t, 'hey-api.ts')
  await generate('hey-api', document, folder)
  // The files client/ and core/, which hey-api copies into every client, do not compile with it.
  const options = { exactOptionalPropertyTypes: false }
  t.same(compileStrictly(folder, 'hey-api.ts', mistakes, options), { messages: [], unnoticed: [] })
  const { email, result } = await run(folder, 'hey-api.ts')
  t.same(result, { ...expected, registered: email, allowed: [] })
})

t.test('a client and Zod schemas of orval', async (t) => {
  const folder = folderWith(t, 'orval.ts', 'orval-fetch.ts')
  await generate('orval', document, folder)
  t.same(compileStrictly(folder, 'orval.ts', mistakes), { messages: [], unnoticed: [] })
  const { email, result, answers } = await run(folder, 'orval.ts')
  t.same(result, { ...expected, registered: email, allowed: [] })
  t.ok(answers.length > 5)
  for (const [answer, parsed] of answers) t.same(parsed, answer, 'the schema has every property')
})
