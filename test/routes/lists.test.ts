import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { flags, segments } from '../../db/schema/flags.ts'
import { services } from '../../db/schema/services.ts'
import type { Config } from '../../src/config/config.ts'
import { createFlag, deleteFlag } from '../../src/domain/flags/flags.ts'
import { fillSample } from '../../src/sample/command.ts'
import { aCaller, aUser, callerOf, operator, ownApp, testDatabaseUrl } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { rules } from '../support/test-config.ts'
import { aDelivery, anEndpoint } from '../support/webhooks.ts'

// Every list of the API that the document describes, over the sample data.

interface Operation {
  'x-access': string
  parameters?: { name: string; schema: { enum?: string[] } }[]
}
type Item = Record<string, string | number | null>

const app = await ownApp(t)
const { db } = app
await fillSample({ db, sealing: app.context.sealing, sessionRules: rules })
for (let n = 0; n < 3; n++) {
  const flag = aFlag()
  await createFlag(db, operator, flag)
  await deleteFlag(db, operator, flag)
}
const { user, call } = await aCaller(app, 'admin')
const [flag] = await db.select().from(flags)
const [segment] = await db.select().from(segments)
const [service] = await db.select().from(services)
const [webhook] = await Promise.all([1, 2, 3].map(() => anEndpoint(app.database)))
for (let n = 0; n < 3; n++) await aDelivery(app.database, webhook!)

const { paths } = app.swagger() as unknown as { paths: Record<string, { get?: Operation }> }
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const { parameters = [], 'x-access': access = '' } = get ?? {}
  const isList = parameters.some(({ name }) => name === 'cursor') && !access.startsWith('key ')
  const [kind = ''] = /flags|segments|services/.exec(path) ?? []
  const key = { flags: flag, segments: segment, services: service }[kind]?.key ?? ''
  const url = path
    .replace('{id}', path.includes('webhooks') ? webhook!.id : user.id)
    .replace('{key}', key)
    .replace('{scope}', 'org:1')
  const sorts = parameters.find(({ name }) => name === 'sort')?.schema.enum ?? []
  return isList ? sorts.map((sort) => ({ path, sort, url: `${url}?sort=${sort}` })) : []
})

async function pagesOf(url: string) {
  const pages: Item[][] = []
  for (let next: string | undefined = url; next && pages.length < 10;) {
    const { statusCode, headers, json } = await call('GET', next)
    if (statusCode !== 200) throw new Error(`${next}: ${statusCode}`)
    pages.push(json().items)
    next = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1]
  }
  return pages
}

/** Whether the items are in the order of this key; the database decides about names. */
function isSorted(items: Item[], sort: string) {
  const name = sort.replace('-', '')
  if (name === 'name' || name === 'email') return true
  const values = items.map((item) => item[name] ?? '')
  const ascending = sort.startsWith('-') ? values.toReversed() : values
  return ascending.every((value, n) => n === 0 || value >= (ascending[n - 1] ?? ''))
}

t.test(
  'every list is in the order of its sort key, and its pages hold each item once',
  async (t) => {
    const wrong = []
    let long = 0
    for (const { path, sort, url } of lists) {
      const all = (await pagesOf(`${url}&limit=200`)).flat()
      const limit = Math.max(1, Math.ceil(all.length / 3))
      const pages = await pagesOf(`${url}&limit=${limit}`)
      const isWhole = isDeepStrictEqual(pages.flat(), all) && pages.length <= 3
      if (!isWhole || !isSorted(all, sort)) wrong.push(`${path} by ${sort}`)
      if (pages.length === 3) long++
    }
    t.same(wrong, [])
    t.ok(lists.length > 45, `${lists.length} lists and orders`)
    t.ok(long > 30, `${long} of them had three pages`)
  }
)

t.test('a list goes on after a change of the keys, until the older one is removed', async (t) => {
  const url = await testDatabaseUrl(t)
  const aKey = (kid: string) => ({ kid, secret: randomBytes(32) })
  const [older, newer] = [aKey('older'), aKey('newer')]
  const start = async (...keys: Config['SECRET_KEYS']) =>
    ownApp(t, { SECRET_KEYS: keys }, await openDatabase(url, { poolMax: 2 }))
  const before = await start(older)
  const { user, call } = await aCaller(before, 'admin')
  await aUser(before.database)
  const first = await call('GET', '/api/admin/users?sort=createdAt&limit=1')
  const next = /^<(.*)>/.exec(String(first.headers.link))?.[1] ?? ''
  const { items } = (await call('GET', next)).json()
  t.equal(items.length, 1)
  const both = await callerOf(await start(newer, older), user)
  t.same((await both.call('GET', next)).json().items, items)
  const one = await callerOf(await start(newer), user)
  t.match((await one.call('GET', next)).json(), { status: 400, code: 'invalid-cursor' })
})
