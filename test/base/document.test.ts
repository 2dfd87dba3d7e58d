import t from 'tap'
import { portalWith } from '../support/app-folder.ts'

t.test('the root of a folder is in the document without the slash at its end', async (t) => {
  const app = await portalWith(t, {
    'routes/orders/index.js':
      'export default async (app) => {\n' +
      "app.get('/', { config: { access: 'public' }, schema: { response: { 200: {} } } }, async () => ({}))\n" +
      '}\n'
  })
  const { paths } = app.swagger() as { paths: object }
  t.same(
    Object.keys(paths).filter((each) => each.includes('orders')),
    ['/api/orders']
  )
  for (const url of ['/api/orders', '/api/orders/']) {
    t.equal((await app.inject(url)).statusCode, 200, url)
  }
})
