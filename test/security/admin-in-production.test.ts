import t from 'tap'
import { documentOf } from '../../src/document.ts'
import { isDeepStrictEqual } from 'node:util'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aUser, operator, signedIn, testApp } from '../support/app.ts'
import { modulesOf } from '../support/loaded-modules.ts'

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
    const others: string[] = []
    for (const url of [...paths, ...ofConsole, '/api/admin', '/api/admin/'].flatMap(spellings)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const response = await app.inject({ method, url, headers: { cookie } })
        const isSame =
          response.statusCode === 404 &&
          isDeepStrictEqual(names(response.headers), names(never.headers)) &&
          (method === 'HEAD' || isDeepStrictEqual(strip(response.json()), strip(never.json())))
        if (!isSame) others.push(`${method} ${url} ${response.statusCode} ${response.body}`)
      }
    }
    t.same(others, [])
  }
)

t.test('the document does not mention the admin API', async (t) => {
  const text = (await app.inject('/openapi.json')).body
  t.notMatch(text, /api\/admin|users:|roles:|permissions:|sessions:|activity:read|outbox/)
})

t.test('the modules of the admin API are not loaded', async (t) => {
  const loadedIn = (mode: string) =>
    modulesOf(
      `const { documentOf } = await import("./src/document.js"); await documentOf("${mode}")`
    ).filter((url) =>
      /routes\/api\/admin\/|routes\/(docs|caught-mail|console)|src\/mail\/(pages|caught)/.test(url)
    )
  const inDevelopment = loadedIn('development')
  t.ok(inDevelopment.length > 5)
  t.ok(inDevelopment.some((url) => url.includes('routes/caught-mail')))
  t.notOk(inDevelopment.some((url) => url.includes('routes/console-session')))
  const inConsole = loadedIn('console')
  t.ok(inConsole.some((url) => url.includes('routes/console-session')))
  t.notOk(inConsole.some((url) => url.includes('routes/caught-mail')))
  t.same(loadedIn('production'), [])
})
