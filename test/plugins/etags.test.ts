import { randomUUID } from 'node:crypto'
import t from 'tap'
import { aCaller, aRole, testApp } from '../support/app.ts'

const app = await testApp(t)

t.test(
  'a request for the headers of a resource has the tag and the length of a read',
  async (t) => {
    const { call } = await aCaller(app, 'admin')
    const url = `/api/admin/roles/${await aRole(app.database)}`
    const [read, head] = [await call('GET', url), await call('HEAD', url)]
    const named = ['etag', 'content-length', 'content-type'] as const
    t.same(
      named.map((name) => head.headers[name]),
      named.map((name) => read.headers[name])
    )
    t.equal(head.body, '')
    const known = { 'if-none-match': String(head.headers.etag) }
    for (const method of ['GET', 'HEAD'] as const) {
      const unchanged = await call(method, url, undefined, known)
      t.match([unchanged.statusCode, unchanged.body], [304, ''], method)
      t.equal(unchanged.headers.etag, read.headers.etag)
    }
  }
)

t.test('a change is answered with its result, whatever its caller has', async (t) => {
  const { call } = await aCaller(app, 'admin')
  const key = `role-${randomUUID().slice(0, 8)}`
  const role = { key, name: 'A role', permissions: [] }
  const made = await call('POST', '/api/admin/roles', role, { 'if-none-match': '*' })
  t.match([made.statusCode, made.json()], [201, { key }])
  const known = { 'if-none-match': String(made.headers.etag) }
  const same = await call('PATCH', `/api/admin/roles/${key}`, { name: 'A role' }, known)
  t.match([same.statusCode, same.json()], [200, { key }])
})
