// Not on PGlite: it uses no database.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

/** Each call after @ts-expect-error must not compile, and all others must. */
const app = `
import { defineApp, DomainError, problem, record, sendMail, throttled } from 'portal'
import type { Actor, Db } from 'portal'

const texts = { en: { subject: 'Shipped', text: 'It is shipped.' } }
const app = defineApp({
  actions: {
    'order.ship': { when: 'an order is shipped', details: { carrier: 'string', stops: 'string[]' } },
    'order.lose': { when: 'an order is lost' }
  },
  targets: ['order'],
  mails: { shipped: { params: ['number'], texts }, lost: { texts } },
  problems: { late: { status: 409, title: 'Late', detail: 'It is late.' } },
  limits: { orders: { burst: 1, seconds: 1 } }
})
declare module 'portal' {
  interface Register { app: typeof app }
}
export default app

declare const tx: Db
declare const actor: Actor
declare const request: Parameters<typeof throttled>[0]
const portal = request.server
const userId = ''

void record(tx, actor, 'order.ship', { target: { type: 'order', id: '1' }, details: { carrier: 'Post', stops: [] } })
void record(tx, actor, 'order.lose')
void record(tx, actor, 'auth.login', { details: { email: '' } })
// @ts-expect-error
void record(tx, actor, 'order.burn')
// @ts-expect-error
void record(tx, actor, 'order.ship', { details: { colour: 'red' } })
// @ts-expect-error
void record(tx, actor, 'order.ship', { details: { carrier: 1 } })
// @ts-expect-error
void record(tx, actor, 'order.lose', { details: { carrier: 'Post' } })
// @ts-expect-error
void record(tx, actor, 'order.ship', { target: { type: 'truck', id: '1' } })
// @ts-expect-error changes of the portal need an actor who was judged
void record(tx, actor, 'user.delete')

void sendMail(tx, portal, 'shipped', { userId, params: { number: 1 } })
void sendMail(tx, portal, 'lost', { userId })
// @ts-expect-error
void sendMail(tx, portal, 'found', { userId })
// @ts-expect-error
void sendMail(tx, portal, 'shipped', { userId })
// @ts-expect-error
void sendMail(tx, portal, 'shipped', { userId, params: { name: '' } })
// @ts-expect-error
void sendMail(tx, portal, 'lost', { userId, params: { number: 1 } })

new DomainError('late')
new DomainError('not-found')
problem('Late', 'late', 'not-found')
// @ts-expect-error
new DomainError('early')
// @ts-expect-error
problem('Early', 'early')

void throttled(request, 'orders')
// @ts-expect-error
void throttled(request, 'nothing')
`

t.test('the words of an app are types of what it imports', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'portal.ts'), app)
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      rootDir: '/',
      typeRoots: [path.join(root, 'node_modules/@types')],
      paths: { portal: [path.join(root, 'src/base/index.ts')] }
    },
    // The plugins add to the types of Fastify.
    include: ['portal.ts', path.join(root, 'plugins')],
    exclude: []
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const compiler = path.join(root, 'node_modules/.bin/tsgo')
  const { status, stdout } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' })
  t.equal(stdout, '')
  t.equal(status, 0)
})
