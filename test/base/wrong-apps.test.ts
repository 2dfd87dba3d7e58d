import { rmSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { AppError, loadApp } from '../../src/base/load.ts'
import { testDatabase } from '../support/app.ts'
import { appFolder, emptyDefinition } from '../support/app-folder.ts'
import { testConfig } from '../support/test-config.ts'

// Each row is an app that is refused: its files, and for each mistake its place and its words.

const database = await testDatabase(t)

/** A definition whose text begins in its third line. */
const defining = (text: string) => ({
  'portal.js': `import { defineApp } from 'portal'\nexport default defineApp({\n${text}\n})\n`
})
/** A file of routes whose text begins in its second line. */
const routing = (text: string, file = 'routes/orders.js') => ({
  [file]: `export default async (app) => {\n${text}\n}\n`
})
const named = (part: string, count: number, member: (n: number) => string) =>
  defining(`${part}: {\n${Array.from({ length: count }, (_, n) => member(n)).join(',\n')}\n}`)
const route = (config: string, url = '/', method = 'get') =>
  `app.${method}('${url}', { config: ${config}, schema: { response: { 200: {} } } }, async () => ({}))`
const open = "{ access: 'public' }"
const fp = "import fp from 'fastify-plugin'\n"
const others = "import fp from 'fastify-plugin'\nimport { allow } from 'portal'\n"
const plugin = "fp(async (app) => { app.get('/files/*', async () => 'a file') }, { name: 'files' })"

type Row = readonly [
  name: string,
  files: Record<string, string>,
  ...mistakes: [place: string, says: RegExp][]
]

const rows: Row[] = [
  [
    'default export missing',
    { 'portal.js': 'export const app = {}\n' },
    ['portal.js', /does not come from defineApp\. Write: import/]
  ],
  [
    'default export of something else',
    { 'portal.js': 'export default { permissions: {} }\n' },
    ['portal.js', /does not come from defineApp/]
  ],
  [
    'two definitions',
    { 'portal.mjs': 'export default {}\n' },
    ['portal.js', /both define an app\. Remove one/]
  ],
  [
    'a definition with a mistake in its syntax',
    { 'portal.js': 'export default {\n  permissions: [\n}\n' },
    ['portal.js', /cannot be loaded: SyntaxError/]
  ],
  [
    'a definition that throws',
    { 'portal.js': '\n\nthrow new Error("no database")\n' },
    ['portal.js:3', /cannot be loaded: Error: no database/]
  ],
  [
    'a definition that imports what is missing',
    { 'portal.js': "import 'no-such-package'\n" },
    ['portal.js', /Cannot find package 'no-such-package'/]
  ],
  [
    'an unknown part',
    defining('permission: {}'),
    ['portal.js:3', /permission: it is unknown\. There must be an object with permissions, grants/]
  ],
  [
    'permissions as a list',
    defining("permissions: ['orders:read']"),
    ['portal.js:3', /permissions: it must be an object with a member for each name/]
  ],
  [
    'a permission without a description',
    defining("permissions: {\n'orders:read': ''\n}"),
    ['portal.js:4', /orders:read must be a text of at most 300/]
  ],
  [
    'a permission in another form',
    defining("permissions: {\n'orders:read': 'See',\n'Orders': 'All'\n}"),
    ['portal.js:5', /Orders must be like orders:read, in lowercase/]
  ],
  [
    'a permission of the portal',
    defining("permissions: { 'users:read': 'See users' }"),
    ['portal.js:3', /users:read is a permission of the portal\. Choose another/]
  ],
  [
    '201 permissions',
    named('permissions', 201, (n) => `'order${n}:read': 'See order ${n}'`),
    ['portal.js:3', /permissions: there are 201\. An app can have 200: join some/]
  ],
  [
    'a grant of an unknown permission',
    defining("permissions: { 'orders:read': 'See' },\ngrants: {\nuser: ['orders:ship']\n}"),
    ['portal.js:5', /orders:ship is not in permissions\. Declare it/]
  ],
  [
    'a grant to another role',
    defining("grants: {\nadmin: ['orders:read'] }"),
    ['portal.js:4', /grants: admin is unknown\. There must be an object with user/]
  ],
  [
    'an action without when',
    defining("actions: {\n'order.ship': { details: {} }\n}"),
    ['portal.js:4', /order.ship does not say when it is recorded\. Add: when/]
  ],
  [
    'an action with an unknown member',
    defining("actions: {\n'order.ship': { when: 'an order is shipped',\ndetail: {} }\n}"),
    ['portal.js:5', /detail of order.ship is unknown\. There must be an object with when, details/]
  ],
  [
    '201 actions',
    named('actions', 201, (n) => `'order.ship${n}': { when: 'order ${n} is shipped' }`),
    ['portal.js:3', /actions: there are 201/]
  ],
  [
    'targets as a text',
    defining("targets: 'order'"),
    ['portal.js:3', /targets: it must be a list of texts/]
  ],
  [
    'a tag of the portal',
    defining("tags: { orders: 'Orders',\nusers: 'Users' }"),
    ['portal.js:4', /users is a tag of the portal\. Choose another/]
  ],
  [
    'a mail without texts',
    defining("mails: {\n'order-shipped': { params: [] } }"),
    ['portal.js:4', /texts of order-shipped must be an object with a member for each name/]
  ],
  [
    'a mail without a subject',
    defining("mails: { 'order-shipped': {\ntexts: {\nen: { text: 'It is here.' } } } }"),
    ['portal.js:5', /subject of en of texts of order-shipped must be a text/]
  ],
  [
    'a problem of the portal',
    defining("problems: { 'not-found': { status: 404, title: 'None', detail: 'None.' } }"),
    ['portal.js:3', /not-found is a problem of the portal/]
  ],
  [
    'a problem without a status',
    defining("problems: {\nlate: { title: 'Late', detail: 'Too late.' } }"),
    ['portal.js:4', /status of late must be a number/]
  ],
  [
    'a limit without a number',
    defining('limits: {\norders: { burst: "ten", seconds: 60 } }'),
    ['portal.js:4', /burst of orders must be a number/]
  ],
  [
    'an export that is no function',
    defining("exports: { orders: 'select' }"),
    ['portal.js:3', /orders must be a function/]
  ],
  [
    'an unknown hook',
    defining('hooks: {\nbeforeLogin: async () => {} }'),
    ['portal.js:4', /hooks: beforeLogin is unknown\. There must be an object with beforeRegister/]
  ],
  [
    'a hook that is no function',
    defining('hooks: { beforeRegister: true }'),
    ['portal.js:3', /beforeRegister must be a function/]
  ],
  [
    'another meaning of a failure',
    defining("hooks: { onFailure: 'ignore' }"),
    ['portal.js:3', /onFailure must be 'refuse' or 'allow'/]
  ],
  [
    'several mistakes',
    defining("permissions: {\n'Orders': 'All',\n'users:read': 'See' }"),
    ['portal.js:4', /Orders must be like/],
    ['portal.js:5', /users:read is a permission of the portal/]
  ],
  [
    'a route without access',
    routing(route('{}')),
    ['routes/orders.js:2', /GET \/api has no access policy: set config\.access to 'public'/]
  ],
  [
    'an unknown policy',
    routing(`\n${route("{ access: 'members' }", '/orders')}`),
    ['routes/orders.js:3', /GET \/api\/orders has an unknown access policy: set/]
  ],
  [
    'an unknown permission',
    routing(route("{ access: { permission: 'orders:fly' } }")),
    ['routes/orders.js:2', /requires the permission orders:fly, .*: declare it/]
  ],
  [
    'two policies at once',
    routing(route("{ access: { permission: 'users:read', key: 'users:read' } }")),
    ['routes/orders.js:2', /unknown access policy/]
  ],
  [
    'a policy that a function computes',
    routing(route("{ access: () => 'public' }")),
    ['routes/orders.js:2', /computes its access policy/]
  ],
  [
    'a policy that a property computes',
    routing(route("{ get access() { return 'public' } }")),
    ['routes/orders.js:2', /computes its access policy/]
  ],
  [
    'a route for keys elsewhere',
    routing(route("{ access: { key: 'users:read' } }")),
    ['routes/orders.js:2', /is for API keys: move it below \/api\/machine/]
  ],
  [
    'a route for sessions below /api/machine',
    routing(route("{ access: 'session' }", '/orders'), 'routes/machine/orders.js'),
    [
      'routes/machine/orders.js:2',
      /GET \/api\/machine\/orders is below \/api\/machine, which is for API keys/
    ]
  ],
  [
    'a route below /api/auth',
    routing(route(open, '/orders'), 'routes/auth/orders.js'),
    ['routes/auth/orders.js:2', /can be below \/api\/auth, which belongs to the portal: move/]
  ],
  [
    'a route below /api/user',
    routing(route(open), 'routes/user/orders/index.js'),
    ['routes/user/orders/index.js:2', /can be below \/api\/user/]
  ],
  [
    'a route below /api/admin',
    routing(route(open, '/admin')),
    ['routes/orders.js:2', /can be below \/api\/admin/]
  ],
  [
    'a parameter in the place of a folder of the portal',
    routing(route(open, '/:shop/orders')),
    ['routes/orders.js:2', /can be below \/api\/auth/]
  ],
  [
    'a wildcard in the place of a folder of the portal',
    routing(route(open, '*')),
    ['routes/orders.js:2', /GET \/api\* can be below \/api\/auth/]
  ],
  [
    'a wildcard that begins like a folder of the portal',
    routing(route(open, '/us*')),
    ['routes/orders.js:2', /GET \/api\/us\* can be below \/api\/user/]
  ],
  [
    'a path of the portal',
    {
      ...routing(route(open, '/'), 'routes/health.js'),
      'routes/health.js': `export const prefixOverride = ''\nexport default async (app) => {\n${route(open, '/health')}\n}\n`
    },
    ['routes/health.js:3', /GET \/health would hide GET \/health of the portal: choose another/]
  ],
  [
    'a path that hides one of the portal',
    {
      'routes/flags.js': `export const prefixOverride = ''\nexport default async (app) => {\n${route(open, '/ofrep/v1/evaluate/flags/mine', 'post')}\n}\n`
    },
    ['routes/flags.js:3', /would hide POST \/ofrep\/v1\/evaluate\/flags\/:key/]
  ],
  [
    'a route without a response schema',
    routing(`app.post('/orders', { config: ${open} }, async () => ({}))`),
    ['routes/orders.js:2', /POST \/api\/orders has no response schema: add schema\.response/]
  ],
  [
    'routes with mistakes in two files',
    { ...routing(route('{}', '/orders')), ...routing(route('{}', '/boxes'), 'routes/boxes.js') },
    ['routes/boxes.js:2', /GET \/api\/boxes has no access policy/],
    ['routes/orders.js:2', /GET \/api\/orders has no access policy/]
  ],
  [
    'the same route twice',
    routing(`${route(open, '/orders')}\n${route(open, '/orders')}`),
    ['routes/orders.js:3', /already declared for route/]
  ],
  [
    '201 routes',
    routing(
      `for (let n = 0; n < 201; n++)\n${route(open, '/orders/X').replace("'/orders/X'", "'/orders/' + n")}`
    ),
    ['routes/orders.js:3', /GET \/api\/orders\/200 is one more than the 200 routes/]
  ],
  [
    'a file of routes that exports none',
    { 'routes/orders.js': 'export const orders = async () => {}\n' },
    ['routes/orders.js', /the default export is not a plugin\. Write: export default async/]
  ],
  [
    'a file of routes that throws',
    routing('\napp.shop.open()'),
    ['routes/orders.js:3', /cannot be loaded: TypeError/]
  ],
  [
    'a file of routes with a mistake in its syntax',
    { 'routes/orders.js': '\nexport default async (app) => {\n  app.get(\n}\n' },
    ['routes/orders.js', /cannot be loaded: SyntaxError/]
  ],
  [
    'a schema that nobody has',
    routing(
      `app.post('/orders', { config: ${open}, schema: { body: { $ref: 'Order#' }, response: { 200: {} } } }, async () => ({}))`
    ),
    ['routes/orders.js:2', /refers to the schema Order: .*add it with app\.addSchema/]
  ],
  [
    'a plugin that throws',
    { 'plugins/shop.js': `${fp}export default fp(async () => {\nthrow new Error('closed')\n})\n` },
    ['plugins/shop.js:3', /cannot be loaded: Error: closed/]
  ],
  [
    'a name of the portal',
    { 'plugins/db.js': `${fp}export default fp(async (app) => {\napp.decorate('db', {})\n})\n` },
    ['plugins/db.js:3', /app\.decorate\('db'\): the portal uses this name\. Choose another/]
  ],
  [
    'a name of the portal in a scope',
    routing("app.decorate('context', {})"),
    ['routes/orders.js:2', /the portal uses this name/]
  ],
  [
    'a name of its requests',
    routing("app.decorateRequest('user', null)"),
    ['routes/orders.js:2', /app\.decorateRequest\('user'\): the portal uses this name/]
  ],
  [
    'a name of its replies',
    routing("app.decorateReply('notFound', () => {})"),
    ['routes/orders.js:2', /app\.decorateReply\('notFound'\)/]
  ],
  [
    'a page for unknown paths of the whole portal',
    {
      'plugins/pages.js': `${fp}export default fp(async (app) => {\napp.setNotFoundHandler(() => 'page')\n})\n`
    },
    ['plugins/pages.js:3', /Not found handler already set/]
  ],
  [
    'a plugin of others without allow',
    {
      'plugins/files.js': `${others}export default fp(async (app) => {\nawait app.register(${plugin})\n})\n`
    },
    [
      'plugins/files.js:4',
      /GET \/files\/\* has no access policy: .*app\.register\(allow\(plugin, \{ access \}\)\)/
    ]
  ],
  [
    'a plugin of others with an unknown policy',
    {
      'plugins/files.js': `${others}export default fp(async (app) => {\nawait app.register(allow(${plugin}, { access: 'all' }))\n})\n`
    },
    ['plugins/files.js:4', /GET \/files\/\* has an unknown access policy/]
  ],
  [
    'a plugin of others that changes the policies of other routes',
    {
      'plugins/open.js': `${fp}export default fp(async (app) => {\napp.addHook('onRoute', (route) => {\nroute.config.access = 'public'\n})\n})\n`,
      ...routing(route("{ access: 'session' }", '/orders'))
    },
    [
      'plugins/open.js:4',
      /cannot be loaded: TypeError: Cannot assign to read only property 'access'/
    ]
  ],
  [
    'a plugin of others in the place of the portal',
    {
      'plugins/files.js': `${others}export default fp(async (app) => {\nawait app.register(allow(fp(async (app) => { app.get('/api/user/files', async () => 'a') }), { access: 'public' }))\n})\n`
    },
    ['plugins/files.js:4', /can be below \/api\/user/]
  ]
]

for (const [name, files, ...mistakes] of rows) {
  t.test(`an app is refused for: ${name}`, async (t) => {
    const folder = appFolder(t, files)
    const lines = (await errorOf(folder)).split('\n')
    t.equal(lines.length, mistakes.length, lines.join('\n'))
    for (const [at, [place, says]] of mistakes.entries()) {
      const line = lines[at] ?? ''
      const [where = '', text = ''] = line.split(/:? (.*)/)
      t.equal(path.relative(folder, where), place, line)
      t.match(text, says)
    }
  })
}

t.test('there are more than forty', async (t) => t.ok(rows.length > 40))

t.test('a folder that is missing, is a file, or has no definition is refused', async (t) => {
  const folder = appFolder(t, {})
  const empty = path.join(folder, 'empty')
  await t.rejects(loadApp(empty), {
    name: 'AppError',
    message: /There is no folder .*empty\. Create an app with: portal init/
  })
  await t.rejects(loadApp(path.join(folder, 'portal.js')), {
    name: 'AppError',
    message: /portal.js is a file\. Name the folder/
  })
  const routes = path.join(appFolder(t, routing(route(open))), 'routes')
  await t.rejects(loadApp(routes), {
    name: 'AppError',
    message: /has no portal.ts and no portal.js.*portal init/
  })
})

t.test('an app in TypeScript is loaded where Node runs it, and else refused', async (t) => {
  const folder = appFolder(t, { 'portal.ts': emptyDefinition })
  rmSync(path.join(folder, 'portal.js'))
  const runsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript)
  if (runsTypeScript) t.match(await loadApp(folder), { file: /portal\.ts$/ })
  else {
    await t.rejects(loadApp(folder), {
      name: 'AppError',
      message: /is TypeScript, which Node .* does not run\. Use Node 22\.18 or newer, or compile/
    })
  }
})

t.test('an app that is loaded twice is the same', async (t) => {
  const folder = appFolder(t, defining("permissions: { 'orders:read': 'See orders' }"))
  t.equal((await loadApp(folder)).definition, (await loadApp(folder)).definition)
})

t.test('200 routes, permissions and actions are not too many', async (t) => {
  const folder = appFolder(t, {
    ...defining(
      `permissions: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [\`order\${n}:read\`, 'See'])),
       actions: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [\`order.ship\${n}\`, { when: 'it is shipped' }]))`
    ),
    ...routing(
      `for (let n = 0; n < 200; n++)\n${route(open, '/orders/X').replace("'/orders/X'", "'/orders/' + n")}`
    )
  })
  t.equal(await errorOf(folder), 'none')
})

/** The message with which the app in a folder is refused. */
async function errorOf(folder: string) {
  try {
    const ownApp = await loadApp(folder)
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} }, ownApp })
    try {
      await app.ready()
    } finally {
      await app.close()
    }
    return 'none'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
