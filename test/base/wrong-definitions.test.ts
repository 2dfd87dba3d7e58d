import { rmSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { testDatabase } from '../support/app.ts'
import { loadApp } from '../../src/base/load.ts'
import { appFolder, emptyDefinition } from '../support/app-folder.ts'
import { defining, errorOf, named, open, refusesAll, route, routing } from './refused-apps.ts'
import type { Row } from './refused-apps.ts'

// Each row is an app whose definition is refused: its files, and for each mistake its place and its words.

const database = await testDatabase(t)

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
    ['portal.js:3', /users:read is one of the portal\. Choose another/]
  ],
  [
    '201 permissions',
    named('permissions', 201, (n) => `'order${n}:read': 'See order ${n}'`),
    ['portal.js:3', /permissions: it must be an object .*, and at most 200/]
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
    ['portal.js:4', /when of order.ship must be a text/]
  ],
  [
    'an action with an unknown member',
    defining("actions: {\n'order.ship': { when: 'an order is shipped',\ndetail: {} }\n}"),
    ['portal.js:5', /detail of order.ship is unknown\. There must be an object with when, details/]
  ],
  [
    '201 actions',
    named('actions', 201, (n) => `'order.ship${n}': { when: 'order ${n} is shipped' }`),
    ['portal.js:3', /actions: it must be an object .*, and at most 200/]
  ],
  [
    'targets as a text',
    defining("targets: 'order'"),
    ['portal.js:3', /targets: it must be a list of texts/]
  ],
  [
    'a tag of the portal',
    defining("tags: { orders: 'Orders',\nusers: 'Users' }"),
    ['portal.js:4', /users is one of the portal\. Choose another/]
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
    ['portal.js:3', /not-found is one of the portal/]
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
    ['portal.js:5', /users:read is one of the portal/]
  ]
]

refusesAll(database, rows)

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

t.test('an app in TypeScript is loaded', async (t) => {
  const folder = appFolder(t, { 'portal.ts': emptyDefinition })
  rmSync(path.join(folder, 'portal.js'))
  t.match(await loadApp(folder), { file: /portal\.ts$/ })
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
  t.equal(await errorOf(database, folder), 'none')
})
