import t from 'tap'
import { aCaller, ownApp } from '../support/app.ts'
import { problem } from '../../src/schemas/problem.ts'
import { appWith, own, ownError } from './own-app.ts'

const definition = {
  problems: {
    'already-shipped': {
      status: 409,
      title: 'It is shipped',
      detail: 'This order is shipped already. Open the list again.',
      hint: 'Read the order first'
    }
  },
  tags: { orders: 'Orders of the shop', unused: 'Nothing has this tag' }
}

interface Document {
  tags: object[]
  components: { schemas: Record<string, { enum: string[] }> }
  paths: Record<string, { get: { responses: Record<string, object> } }>
}

const app = await appWith(t, definition, {
  async routes(app) {
    app.get('/orders', {
      config: { access: 'session', tag: own('orders') },
      schema: {
        operationId: 'ship',
        response: {
          204: { type: 'null', description: 'Shipped' },
          409: problem('It is shipped', own('already-shipped'))
        }
      },
      async handler() {
        throw ownError('already-shipped')
      }
    })
  }
})
const document = app.swagger() as never as Document

t.test('an error of the app is a problem document, as the API document says', async (t) => {
  const { call } = await aCaller(app)
  const refused = await call('GET', '/api/orders')
  t.match(refused.json(), {
    type: '/problems/already-shipped',
    status: 409,
    title: 'It is shipped',
    code: 'already-shipped',
    detail: 'This order is shipped already. Open the list again.'
  })
  t.equal(refused.headers['content-type'], 'application/problem+json; charset=utf-8')
  const { ProblemCode } = document.components.schemas
  t.ok(ProblemCode?.enum.includes('already-shipped'))
  t.match(
    JSON.stringify(document.paths['/api/orders']?.get.responses[409]),
    '"enum":["already-shipped","other-user"]'
  )
})

t.test('its page is among those of the portal', async (t) => {
  const page = await app.inject('/problems/already-shipped')
  t.equal(page.statusCode, 200)
  t.match(page.body, '409 <code>already-shipped</code>')
  t.match(page.body, 'Read the order first')
  t.match(page.body, '&quot;type&quot;: &quot;/problems/already-shipped&quot;', 'an example')
  t.match((await app.inject('/problems')).body, 'href="/problems/already-shipped"')
  t.equal((await app.inject('/problems/email-taken')).statusCode, 200)
})

t.test('a tag of the app is described after those of the portal if it is used', async (t) => {
  t.same(document.tags.at(-1), { name: 'orders', description: 'Orders of the shop' })
  t.ok(document.tags.length > 5)
})

t.test('another application of the process knows nothing of them', async (t) => {
  const other = await ownApp(t)
  const { schemas } = (other.swagger() as never as Document).components
  t.notOk(schemas.ProblemCode?.enum.includes('already-shipped'))
  t.equal((await other.inject('/problems/already-shipped')).statusCode, 404)
})
