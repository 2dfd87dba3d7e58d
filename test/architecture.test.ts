import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { root } from './support/root.ts'
import { client, files, filesOf, importsOf, pages, textOf } from './support/sources.ts'

function forbid(t: Test, where: RegExp, what: RegExp) {
  const found = files
    .filter((file) => where.test(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => what.test(target))
        .map((target) => `${file} imports ${target}`)
    )
  t.same(found, [])
}

t.test('the project has source files', async (t) => t.ok(files.length > 40))

t.test('db imports only db', async (t) => forbid(t, /^db\//, /^(src|plugins|routes)\//))
t.test('src imports neither plugins nor routes', async (t) =>
  forbid(t, /^src\//, /^(plugins|routes)\//)
)
t.test('plugins import no plugin and no route', async (t) =>
  forbid(t, /^plugins\//, /^(plugins|routes)\//)
)
t.test('routes import only src', async (t) => forbid(t, /^routes\//, /^(plugins|routes|db)\//))
t.test('the domain imports neither Fastify nor TypeBox nor schemas of the API', async (t) =>
  forbid(t, /^src\/domain\//, /fastify|typebox|^src\/(?!domain\/|common\/|problems\/)/)
)
t.test('code that servers and pages share imports nothing else', async (t) =>
  forbid(t, /^src\/common\//, /^(?!src\/common\/)/)
)
t.test('the list of problems imports nothing else', async (t) =>
  forbid(t, /^src\/problems\//, /^(?!src\/problems\/)/)
)
t.test('the folders of the domain import downwards only', async (t) => {
  // Each may import from the rows below its own, and from files beside the folders.
  const [, section = ''] = textOf('docs/understand/architecture.md').split(/^## (?=The domain$)/m)
  const [table = ''] = section.split(/^## /m)
  const rows = [...table.matchAll(/^\| \d+ \| (`.*) \|$/gm)].map(([, row = '']) =>
    [...row.matchAll(/`([\w-]+)`/g)].map(([, folder = '']) => folder)
  )
  const rowOf = (folder: string) => rows.findIndex((row) => row.includes(folder))
  const folderOf = (file: string) => /^src\/domain\/([^/]+)\//.exec(file)?.[1]
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []))
  t.same(
    rows.flat().filter((folder) => !folders.has(folder)),
    [],
    'the table names folders that exist'
  )
  const upwards = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const [from, to] = [folderOf(file), folderOf(target)]
        if (!file.startsWith('src/domain/') || to === undefined || from === to) return false
        if (from === undefined) return true
        // A folder that is not in the table may import all of them, and none may import it.
        return rowOf(to) === -1 || rowOf(from) >= rowOf(to)
      })
      .map((target) => `${file} imports ${target}`)
  )
  t.same(upwards, [])
})
t.test('what needs a permission is changed through `authorized` only', async (t) => {
  // In these folders nobody is signed in, users act on their own account, or a job acts. There the
  // types of `record` distinguish them from an actor who has not been judged.
  const others = 'accounts|activity|guard|jobs|keys|mail|outbox|sessions|sign-in|throttling'
  const exempt = [
    'src/domain/access/authorize.ts', // authorized
    'src/domain/access/registry.ts', // portal migrate
    'src/domain/administration/first-admin.ts', // the start in development
    'src/domain/administration/import.ts', // portal import
    'src/domain/flags/evaluation-counts.ts', // what was sent to apps
    'src/domain/sealing.ts', // portal reseal
    'src/domain/settings/stored.ts', // the command line
    'src/domain/webhooks/claim.ts', // deliveries by the worker
    'src/domain/webhooks/complete-delivery.ts'
  ]
  const opening = files.filter(
    (file) =>
      file.startsWith('src/domain/') &&
      !new RegExp(`^src/domain/(${others})/`).test(file) &&
      /\btransaction\(/.test(textOf(file))
  )
  t.same(opening.sort(), exempt)
})
t.test('imports, type imports included, form no circle', async (t) => {
  t.same(circlesIn(new Map(files.map((file) => [file, importsOf(file)]))), [])
  const circle: [string, string[]][] = [
    ['one', ['two']],
    ['two', ['one']],
    ['three', ['one']]
  ]
  t.same(circlesIn(new Map(circle)), ['one', 'two'], 'a circle would be found')
})

/** The files whose imports lead back to them. */
function circlesIn(imports: Map<string, string[]>) {
  return [...imports.keys()].filter((file) => {
    const reached = new Set<string>()
    const ahead = [...(imports.get(file) ?? [])]
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      ahead.push(...(imports.get(next) ?? []))
    }
    return reached.has(file)
  })
}

t.test('the library for passkeys is loaded when it is first needed', async (t) => {
  const found = files.filter((file) => /^import (?!type ).*'@simplewebauthn/m.test(textOf(file)))
  t.same(found, [], 'its 25 packages would take a quarter of a second of each start')
  t.ok(files.some((file) => importsOf(file).includes('@simplewebauthn/server')))
})

t.test('storage does not import Fastify', async (t) => forbid(t, /^db\//, /fastify/))
t.test(
  'schemas import TypeBox and the vocabulary of tables, problems and the app only',
  async (t) =>
    forbid(
      t,
      /^src\/schemas\//,
      /fastify|drizzle|^src\/(?!schemas\/|problems\/|domain\/vocabulary)/
    )
)

t.test('the example and the portal do not import each other', async (t) => {
  const folder = 'examples/app'
  const examples = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.[jt]s$/.test(file) && !/node_modules|dist|\.data/.test(file))
    .map((file) => path.join(folder, file))
  t.ok(examples.length > 10)
  const outside = (file: string) =>
    importsOf(file).filter(
      (target) => target.includes('/') && !/^(@|node:|examples|portal-client)/.test(target)
    )
  t.same(examples.flatMap(outside), [])
  const portal = [...files, ...filesOf('openapi'), ...filesOf('bench')]
  t.same(
    portal.filter((file) => importsOf(file).some((each) => each.includes('examples/'))),
    []
  )
  t.same(
    examples.filter((file) => textOf(file).split('\n').length > 150),
    [],
    'its files are small'
  )
})

t.test('pages and server do not import each other', async (t) => {
  const packages = /^(preact(\/hooks)?|@preact\/signals|wouter-preact|openapi-fetch)$/
  const found = (sources: string[], isWrong: (target: string, file: string) => boolean) =>
    sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => isWrong(target, file))
        .map((target) => `${file} imports ${target}`)
    )
  const packagesOfClient = /^(openapi-fetch|react|@openfeature\/(web-sdk|ofrep-web-provider))$/
  const roomOf = (file: string) => /^src\/pages\/(\w+)\//.exec(file)?.[1]
  t.ok(pages.length > 20)
  t.same(
    found(pages, (target, file) =>
      target.startsWith('src/')
        ? !target.startsWith('src/pages/')
          ? !/^src\/(client|common)\//.test(target)
          : ![roomOf(file), 'shared', undefined].includes(roomOf(target))
        : target !== 'openapi/api.d.ts' && !packages.test(target)
    ),
    [],
    'they import the client, common code, shared parts, their own, types of the API, and packages'
  )
  t.ok(client.length > 8)
  t.same(
    found(
      client,
      (target) =>
        !/^src\/(client|common\/words)\//.test(target) &&
        target !== 'openapi/api.d.ts' &&
        !packagesOfClient.test(target)
    ),
    [],
    'the client imports itself, common words, the types of the API, and these packages'
  )
  const others = [...files, ...filesOf('test'), ...filesOf('bench'), ...filesOf('openapi')]
  t.same(
    found(
      others,
      (target, file) =>
        /^src\/(pages|client)\//.test(target) &&
        !/^(test|src)\/(pages|client)\/|^test\/browser\/client-/.test(file)
    ),
    [],
    'only their own tests import parts of pages and of the client'
  )
  t.same(circlesIn(new Map([...pages, ...client].map((file) => [file, importsOf(file)]))), [])
})
