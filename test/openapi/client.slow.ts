import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTs, { astToString } from 'openapi-typescript'
import t from 'tap'
import ts from 'typescript'
import { clientTypes, typesFile } from '../../openapi/client-types.ts'
import { fileOf } from '../../openapi/documents.ts'
import { freshEmail, password, testApp } from '../helpers.ts'
import { built, root } from '../root.ts'

// Inside the checkout, so that packages are resolved.
const folder = mkdtempSync(path.join(built, 'client-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const client = path.join(folder, 'main-job.ts')
cpSync(path.join(root, 'test/client/main-job.ts'), client)
writeFileSync(
  path.join(folder, 'portal.d.ts'),
  astToString(await openapiTs(pathToFileURL(fileOf('development'))))
)

/** Messages of the strict compiler about a file that uses the generated types. */
function complaints(file: string) {
  const program = ts.createProgram([file], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node']
  })
  return ts
    .getPreEmitDiagnostics(program)
    .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '))
}

t.test('the types of the pages are those of the document', async (t) => {
  t.equal(readFileSync(path.join(root, typesFile), 'utf8'), await clientTypes())
})

t.test('a client generated from the document compiles in strict mode', async (t) => {
  t.same(complaints(client), [])
})

t.test('calls that the document does not declare do not compile', async (t) => {
  const source = readFileSync(client, 'utf8')
  for (const [right, wrong] of [
    ["theme: 'dark'", "theme: 'pink'"],
    ["'/api/user/theme'", "'/api/user/thema'"],
    ['registered.data.user.email', 'registered.data.user.passwordHash'],
    ["sort: '-createdAt'", "sort: 'password'"]
  ] as const) {
    t.ok(source.includes(right))
    const file = path.join(folder, 'wrong.ts')
    writeFileSync(file, source.replace(right, wrong))
    t.ok(complaints(file).length > 0, wrong)
  }
})

t.test('the generated client can do the main job', async (t) => {
  const app = await testApp(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { mainJob } = (await import(path.join(built, 'test/client/main-job.js'))) as {
    mainJob(baseUrl: string, account: { email: string; password: string }): Promise<object>
  }
  const email = freshEmail()
  t.same(
    await mainJob(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, {
      email,
      password
    }),
    {
      registered: email,
      again: 'email-taken',
      wrong: 'invalid-credentials',
      permissions: ['name:update', 'profile:read', 'profile:update', 'theme:update'],
      theme: 'dark',
      locale: 'en-GB',
      refused: ['/timeZone'],
      current: true,
      denied: 'permission-denied',
      signedOut: 204,
      after: 'unauthenticated'
    }
  )
})
