import { randomBytes } from 'node:crypto'
import t from 'tap'
import { permissions as permissionsTable } from '../../db/schema/roles.ts'
import { checkAnswer } from '../../src/schemas/checks.ts'
import { unpackedPackages } from '../resilience/debian.ts'
import { aRole, temporaryFolder } from '../support/app.ts'
import { ask, valuesOf } from './asking.ts'
import type { Sent } from './asking.ts'
import { startNginx } from './proxies.ts'
import { aWorld, theProxies } from './world.ts'

// The headers in which the portal describes the user to a service, behind the proxies.
const world = await aWorld(t)
const { requests } = world.service
const ada = await world.signedInUser()
/** A user whose permissions take nearly as many bytes as fit. */
const longNames = world.signedInUser([world.reader, await everything(35, 'x'.repeat(58))])
/** Headers of no version yet. */
const unknown = ['Portal-New', 'portal-email', 'PORTAL-ADMIN']
const names = Object.keys(checkAnswer).map((name) => name.toLowerCase())

for (const { name, port } of await theProxies(t, world)) {
  const send = (sent: Sent) => ask(port, requests, sent)
  const asAda = (sent: Sent = {}) => send({ cookie: ada.cookie, ...sent })

  t.test(`${name}: Portal-* headers of a client never reach the service`, async (t) => {
    const spellings = names.flatMap((each) => [
      each,
      each.toUpperCase(),
      each.replaceAll('-', '_'),
      each.replace('-', '_').toUpperCase(),
      each.replace('-', '.'),
      each
    ])
    // nginx removes these with a module only: see below.
    if (name !== 'nginx') spellings.push(...unknown)
    const forged = 'forged'
    const answer = await asAda({
      headers: spellings.map((spelling): [string, string] => [spelling, forged])
    })
    t.equal(answer.status, 200)
    t.same(
      answer.seen?.headers.filter(([, value]) => value.includes(forged)),
      []
    )
    t.same(valuesOf(answer.seen, 'portal-user'), [ada.id])
    for (const absent of ['portal-assertion', 'portal-permissions-omitted', 'portal-problem']) {
      t.same(valuesOf(answer.seen, absent), [], absent)
    }
  })

  t.test(`${name}: more keys than fit into headers are left out`, async (t) => {
    const many = await world.signedInUser([
      await everything(2000),
      await aRole(world.database, 'invoices:read')
    ])
    const answer = await send({ cookie: many.cookie, path: '/api/invoices/many' })
    t.equal(answer.status, 200)
    t.same(valuesOf(answer.seen, 'portal-user'), [many.id])
    t.same(valuesOf(answer.seen, 'portal-permissions'), [])
    t.same(valuesOf(answer.seen, 'portal-permissions-omitted'), ['true'])
    const roles = await Promise.all(
      Array.from({ length: 60 }, () => aRole(world.database, 'invoices:read'))
    )
    const member = await world.signedInUser(roles)
    const listed = await send({ cookie: member.cookie })
    t.same(valuesOf(listed.seen, 'portal-roles'), [])
    t.same(valuesOf(listed.seen, 'portal-roles-omitted'), ['true'])
    t.match(valuesOf(listed.seen, 'portal-permissions'), [/^invoices:read /])
  })

  t.test(`${name}: headers that leave no room for those of the portal are refused`, async (t) => {
    const answers: Record<string, number> = {}
    // Caddy sends all headers to the portal, which takes 16 KiB.
    const [from, to] = name === 'Caddy' ? [12_000, 19_000] : [26_000, 33_000]
    for (let size = from; size < to; size += 300) {
      const headers = Array.from({ length: 32 }, (_, i): [string, string] => [
        `X-Filler-${i}`,
        'x'.repeat(size / 32)
      ])
      const { status, seen } = await send({ cookie: (await longNames).cookie, headers })
      const passed = seen?.headers.map(([name]) => name).filter((name) => /^portal-/.test(name))
      const kind = `${status < 400 ? 'passed' : 'refused'} ${passed?.sort().join(' ') ?? ''}`
      answers[kind] = (answers[kind] ?? 0) + 1
    }
    t.same(Object.keys(answers), [
      'passed portal-assurance portal-permissions portal-roles portal-session portal-user',
      'refused '
    ])
  })
}

t.test('nginx: with headers-more, Portal-* headers of later versions do not either', async (t) => {
  const name = 'libnginx-mod-http-headers-more-filter'
  const { find } = await unpackedPackages(temporaryFolder(t), [name])
  const directive = "more_clear_input_headers 'Portal-*';"
  const nginx = await startNginx(
    t,
    { portals: world.portals, service: world.service.port },
    { [`# ${directive}`]: directive },
    false,
    [find('/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so')]
  )
  const headers = ['Portal-User', ...unknown].map((each): [string, string] => [each, 'forged'])
  const answer = await ask(nginx.port, requests, { cookie: ada.cookie, headers })
  t.equal(answer.status, 200)
  t.same(
    answer.seen?.headers.filter(([, value]) => value === 'forged'),
    []
  )
  t.same(valuesOf(answer.seen, 'portal-user'), [ada.id])
})

/** A role with so many permissions of its own. */
async function everything(count: number, prefix = 'p') {
  const keys = Array.from(
    { length: count },
    () => `many:${prefix}${randomBytes(6).toString('hex')}`
  )
  await world.database.db
    .insert(permissionsTable)
    .values(keys.map((key) => ({ key, description: '' })))
  return aRole(world.database, ...keys)
}
