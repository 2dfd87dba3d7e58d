import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { documentOf } from '../../src/document.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aUser, operator, signedIn, testApp } from '../support/app.ts'

const production = { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' } as const
const app = await testApp(t, production)
const development = JSON.parse(await documentOf('development')) as { paths: Record<string, object> }

t.test(
  'every admin path, method and spelling gets the 404 of an unknown path, even for administrators',
  async (t) => {
    const user = await aUser(app.database)
    await grantRole(app.db, operator, { userId: user.id, role: 'admin' })
    const cookie = await signedIn(app, user.email)
    const strip = ({ instance, ...problem }: { instance: string }) => problem
    const names = (headers: object) => Object.keys(headers).sort()
    const never = await app.inject({ url: '/api/never-existed', headers: { cookie } })
    const paths = Object.keys(development.paths)
      .filter((path) => path.startsWith('/api/admin'))
      .map((path) => path.replace(/\{\w+\}/g, user.id))
    t.ok(paths.length > 10)
    const spellings = (url: string) => [
      url,
      `${url}/`,
      `${url}?limit=1`,
      url.replace('/api', '//api'),
      url.replace('admin', '%61dmin').replace('console', '%63onsole'),
      url.replace('admin', 'ADMIN'),
      url.replace('/admin', '/x/../admin'),
      url.replace('admin/', 'admin%2f'),
      `${url};x=1`
    ]
    const ofConsole = ['/console', '/console/users', '/api/console/session']
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
    const requests = [...paths, ...ofConsole, '/api/admin', '/api/admin/'].flatMap((path, n) => {
      const [plain = path, ...others] = spellings(path)
      // Every method of every path, and other spellings with one of the methods each.
      return [
        ...methods.map((method) => ({ method, url: plain })),
        ...[n, n + 3].map((m) => ({
          method: methods[n % methods.length] ?? 'GET',
          url: others[m % others.length] ?? path
        }))
      ]
    })
    const unlike = []
    for (const { method, url } of requests) {
      const response = await app.inject({ method, url, headers: { cookie } })
      const found = [
        response.statusCode,
        names(response.headers),
        method === 'HEAD' ? strip(never.json()) : strip(response.json())
      ]
      const expected = [404, names(never.headers), strip(never.json())]
      if (!isDeepStrictEqual(found, expected)) unlike.push(`${method} ${url}: ${String(found[0])}`)
    }
    t.ok(requests.length > 100)
    t.same(unlike, [])
  }
)

t.test('the document does not mention the admin API', async (t) => {
  const text = (await app.inject('/openapi.json')).body
  t.notMatch(text, /api\/admin|users:|roles:|permissions:|sessions:|activity:read|outbox/)
})
