import t from 'tap'
import { testDatabase } from '../support/app.ts'
import { defining, fp, open, others, plugin, refusesAll, route, routing } from './refused-apps.ts'
import type { Row } from './refused-apps.ts'

// Each row is an app whose routes or plugins are refused: its files, and for each mistake its place and its words.

const rows: Row[] = [
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
    'an unknown tag',
    routing(route("{ access: 'public', tag: 'boxes' }", '/orders')),
    ['routes/orders.js:2', /GET \/api\/orders has the tag boxes, .*: declare it in tags/]
  ],
  [
    'unknown problems',
    {
      ...defining("problems: { late: { status: 409, title: 'Late', detail: 'It is late.' } }"),
      'routes/orders.js': `import { problem } from 'portal'\nexport default async (app) => {
const response = { 200: {}, 404: problem('None', 'not-found', 'lost'), 409: problem('Late', 'late', 'gone') }
app.get('/orders', { config: ${open}, schema: { response } }, async () => ({}))\n}\n`
    },
    ['routes/orders.js:4', /GET \/api\/orders has the problem lost, .*: declare it in problems/],
    ['routes/orders.js:4', /has the problem gone, which neither/]
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
    'a scope that is not in the path',
    routing(route("{ access: { permission: 'users:read', scope: 'params.org' } }", '/orgs/:id')),
    ['routes/orders.js:2', /names a scope by params\.org, which its path does not have/]
  ],
  [
    'a scope from the body',
    routing(route("{ access: { permission: 'users:read', scope: 'body.org' } }", '/orgs/:id')),
    ['routes/orders.js:2', /names a scope wrongly: set scope to 'params\.NAME'/]
  ],
  [
    'a scope of a key',
    routing(route("{ access: { key: 'users:read', scope: 'params.id' } }", '/orgs/:id')),
    ['routes/orders.js:2', /names a scope wrongly: .*, beside permission/]
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
    'a parameter that ends the name of a folder of the portal',
    routing(route(open, '/us:rest/orders')),
    ['routes/orders.js:2', /can be below \/api\//]
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

refusesAll(await testDatabase(t), rows)
