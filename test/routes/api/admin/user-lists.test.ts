import t from 'tap'
import { updateUser } from '../../../../src/domain/administration/users.ts'
import { aCaller, aRole, aUser, freshEmail, operator, ownApp } from '../../../support/app.ts'
import { rejectsQueries, scenarios } from '../../../support/scenarios.ts'

const app = await ownApp(t)
const { call } = await aCaller(app, 'admin')
const itemsOf = async (url: string): Promise<{ id: string; email: string; name: string }[]> =>
  (await call('GET', url)).json().items

t.test(
  'users are filtered by part of name or e-mail address, status and role, in every sort order',
  async (t) => {
    const app = await ownApp(t)
    const { call } = await aCaller(app, 'admin')
    const made: { id: string; name: string; status: string }[] = []
    for (const [email, name] of [
      ['zoe@one.example', 'Ada Lovelace'],
      ['yan@one.example', 'Lovelock'],
      ['xia@two.example', '100% _Real\\'],
      ['wim@two.example', '王伟'],
      ['ada@two.example', 'Bo']
    ] as const) {
      made.push((await call('POST', '/api/admin/users', { email, name })).json())
    }
    const [, lovelock, real, , bo] = made
    await updateUser(app.context, operator, {
      id: lovelock?.id ?? '',
      changes: { status: 'deactivated' }
    })
    const role = await aRole(app.database)
    for (const user of [real, bo]) await call('PUT', `/api/admin/users/${user?.id}/roles/${role}`)
    const found = async (query: string) =>
      (await call('GET', `/api/admin/users?${query}`))
        .json()
        .items.map((item: { id: string }) => made.findIndex((each) => each.id === item.id))
        .filter((n: number) => n >= 0) // the administrator is called Ada as well

    t.same(await found('q=LOVE&sort=createdAt'), [0, 1])
    t.same(await found('q=ada&sort=createdAt'), [0, 4], 'the name of one, the address of the other')
    t.same(await found('q=%40TWO.example&sort=createdAt'), [2, 3, 4], 'a domain')
    t.same(await found('q=two&sort=createdAt'), [2, 3, 4], 'the middle of an address')
    t.same(await found('q=tw'), [], 'two letters only at the beginning of a word')
    t.same(await found('q=%25'), [], 'no wildcard: it counts at the beginning, being short')
    t.same(await found(`q=${encodeURIComponent('00% _R')}`), [2])
    t.same(await found(`q=${encodeURIComponent('Real\\')}`), [2])
    t.same(await found('q=lo&sort=createdAt'), [0, 1], 'two letters begin a word')
    t.same(await found('q=lovelace+ADA'), [0], 'words in any order')
    t.same(await found('q=two+bo'), [4], 'a word of the address and one of the name')
    t.same(await found('q=ada+nobody'), [], 'every word counts')
    t.same(await found(`q=${made[2]?.id}`), [2], 'an id')
    t.same(await found(`q=${made[2]?.id.toUpperCase()}`), [2], 'an id in capitals')
    t.same(await found(`q=${encodeURIComponent('王')}`), [3])
    t.same(await found('q=lov&status=deactivated'), [1])
    t.same(await found(`role=${role}&sort=email`), [4, 2])
    t.same(await found(`role=${role}&sort=-email&q=xia`), [2])
    t.same(await found('role=nobody-has-it'), [])
    t.same(await found('status=active&sort=-email'), [0, 2, 3, 4])
    t.equal((await found('sort=name&limit=200')).length, 5)
  }
)

t.test(
  'a search of users knows no difference between letters with and without marks',
  async (t) => {
    const names = ['Jörg Brüggemann', 'Zoë Łuć', 'Ngô Đình', 'Ёлка Чай', 'Ｆｕｌｌ']
    const ids = await Promise.all(
      names.map(async (name) => {
        const made = await call('POST', '/api/admin/users', { email: freshEmail(), name })
        return made.json().id as string
      })
    )
    const found = async (q: string) =>
      (await itemsOf(`/api/admin/users?q=${encodeURIComponent(q)}`)).map(({ id }) =>
        ids.indexOf(id)
      )
    t.same(await found('brugge jorg'), [0])
    t.same(await found('BRÜGGE'), [0])
    t.same(await found('bru\u0308gge'), [0], 'in another form of Unicode')
    t.same(await found('zoe'), [1])
    t.same(await found('ngo'), [2])
    t.same(await found('Елка'), [3])
    t.same(await found('full'), [4])
  }
)

t.test(
  'pages link to the next by cursor and Link header, and together list every user once',
  async (t) => {
    for (let n = 0; n < 13; n++) await aUser(app.database)
    for (const query of [
      '',
      'sort=createdAt',
      'sort=email',
      'sort=-name',
      'status=active&sort=email',
      'role=user',
      'q=ada&sort=-email'
    ]) {
      const all = await itemsOf(`/api/admin/users?limit=200&${query}`)
      const walked = []
      let url: string | undefined = `/api/admin/users?limit=3&${query}`
      while (url) {
        const response = await call('GET', url)
        const { items, nextCursor } = response.json()
        walked.push(...items)
        const link = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1]
        t.equal(
          link ? new URL(link, 'http://localhost').searchParams.get('cursor') : null,
          nextCursor
        )
        url = link
      }
      t.ok(all.length > 13)
      t.same(walked, all, query)
    }
  }
)

t.test('pages list each existing user once while others are added', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app, 'admin')
  const before: string[] = []
  for (let n = 0; n < 20; n++) before.push((await aUser(app.database)).id)
  const add = (name: string) => call('POST', '/api/admin/users', { email: freshEmail(), name })
  const walks = []
  for (const sort of ['createdAt', '-createdAt', 'email', '-email', 'name', '-name']) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null && new Set(seen).size === seen.length) {
      // On both sides of the page in the order of names.
      const [response] = await Promise.all([
        call('GET', `/api/admin/users?limit=9&sort=${sort}${cursor && `&cursor=${cursor}`}`),
        add('A'),
        add('Z')
      ])
      const page: { items: { id: string }[]; nextCursor: string | null } = response.json()
      seen.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor
    }
    const twice = seen.length - new Set(seen).size
    walks.push({ sort, twice, missed: before.filter((id) => !seen.includes(id)).length })
  }
  t.same(
    walks,
    walks.map(({ sort }) => ({ sort, twice: 0, missed: 0 }))
  )
})

t.test('invalid page parameters are rejected, each for its own reason', async (t) => {
  const { nextCursor } = (await call('GET', '/api/admin/users?limit=1&sort=email')).json()
  const users = '/api/admin/users'
  await rejectsQueries(t, call, users, [
    ['limit=0', '/query/limit out-of-range'],
    ['limit=201', '/query/limit out-of-range'],
    ['limit=x', '/query/limit wrong-type'],
    ['limit=', '/query/limit wrong-type'],
    ['limit=1.5', '/query/limit wrong-type'],
    ['limit=1&limit=2', '/query/limit wrong-type'],
    ['sort=passwordHash', '/query/sort not-allowed'],
    ['sort=--email', '/query/sort not-allowed'],
    ['status=gone', '/query/status not-allowed'],
    ['role=Not%20a%20key', '/query/role malformed'],
    ['q=', '/query/q too-short'],
    ['q=a%00b', '/query/q invalid-characters'],
    ['page=2', '/query unknown-property'],
    ['cursor=', '/query/cursor too-short']
  ])
  const tampered = `${nextCursor.slice(0, 30)}${nextCursor[30] === 'A' ? 'B' : 'A'}${nextCursor.slice(31)}`
  const foreign = Buffer.from('["a@example.com"]').toString('base64url')
  await rejectsQueries(t, call, users, [
    ['sort=email&cursor=x', 'invalid-cursor'],
    ['sort=email&cursor=!!', 'invalid-cursor'],
    [`sort=email&cursor=${nextCursor.slice(0, -4)}`, 'invalid-cursor'],
    [`sort=email&cursor=${nextCursor.slice(4)}`, 'invalid-cursor'],
    [`sort=email&cursor=${tampered}`, 'invalid-cursor'],
    [`sort=email&cursor=${foreign}`, 'invalid-cursor'],
    [`sort=-email&cursor=${nextCursor}`, 'invalid-cursor'],
    [`sort=createdAt&cursor=${nextCursor}`, 'invalid-cursor'],
    [`cursor=${nextCursor}`, 'invalid-cursor'],
    [`sort=email&status=active&cursor=${nextCursor}`, 'invalid-cursor'],
    [`sort=email&q=ada&cursor=${nextCursor}`, 'invalid-cursor']
  ])
  const other = await aCaller(app, 'admin')
  await rejectsQueries(t, other.call, users, [
    [`sort=email&cursor=${nextCursor}`, 'invalid-cursor']
  ])
  await rejectsQueries(t, call, '/api/admin/roles', [[`cursor=${nextCursor}`, 'invalid-cursor']])
  const further = `GET ${users}?sort=email&limit=7&cursor=${nextCursor}` as const
  await scenarios(t, call, [['another length', further, undefined, 200]])
})
