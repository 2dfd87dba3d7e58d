import t from 'tap'
import { aCaller, testApp } from '../../../support/app.ts'
import { aMachine, aServiceKey } from '../../../support/keys.ts'

const app = await testApp(t, { MACHINE_ADMIN: 'on' })
const off = await testApp(t)
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'

/** The operations of a document below `/api/machine`, as `METHOD /path permission`. */
async function operationsOf(instance: typeof app) {
  const { paths } = (await instance.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, { 'x-access': string }>>
  }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/machine/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, each]) => `${method.toUpperCase()} ${path} ${each['x-access']}`
      )
    )
}

const always = await operationsOf(off)
const commands = (await operationsOf(app))
  .filter((each) => !always.includes(each))
  .map((each) => {
    const [method = '', path = '', , permission = ''] = each.split(' ')
    const url = path.replace('{id}', nobody).replace('{key}', 'user')
    return { method: method as 'GET', url, permission, route: path.replace(/\{(\w+)\}/g, ':$1') }
  })

t.test('without MACHINE_ADMIN, commands are 404 and not in the document', async (t) => {
  t.ok(commands.length >= 12)
  const machine = await aMachine(off, ...new Set(commands.map(({ permission }) => permission)))
  const found = []
  for (const { method, url } of commands) {
    const { statusCode } = await machine.call(method, url, method === 'GET' ? undefined : {})
    found.push(`${method} ${url} ${statusCode}`)
  }
  t.same(
    found,
    commands.map(({ method, url }) => `${method} ${url} 404`)
  )
})

t.test('a command with the session of an administrator is 401', async (t) => {
  const { call } = await aCaller(app, 'admin')
  for (const { method, url } of commands) {
    const response = await call(method, url, method === 'GET' ? undefined : {})
    t.equal(response.statusCode, 401, `${method} ${url}`)
  }
})

t.test('a command without its permission is 403, and recorded with the key', async (t) => {
  const permissions = [...new Set(commands.map(({ permission }) => permission))]
  const machine = await aMachine(app, ...permissions)
  for (const { method, url, permission, route } of commands) {
    const others = permissions.filter((each) => each !== permission)
    const { service } = machine
    const limited = await aServiceKey(app.database, service, { permissions: others })
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${limited.secret}` },
      ...(method !== 'GET' && { payload: {} })
    })
    t.equal(response.statusCode, 403, `${method} ${url}`)
    const { items } = (
      await (
        await aCaller(app, 'admin')
      ).call('GET', `/api/admin/activity?action=access.denied&actorId=${service.id}&limit=1`)
    ).json()
    t.match(items[0], {
      reason: 'permission-denied',
      actorLabel: service.key,
      details: { route: `${method} ${route}`, permission, actorKey: limited.id }
    })
  }
})
