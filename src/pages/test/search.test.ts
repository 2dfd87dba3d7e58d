import t from 'tap'
import { ranked } from '../console/search/found.ts'
import type { Found } from '../console/search/found.ts'
import { shortName } from '../console/user/short-name.ts'

const person = (title: string, detail: string): Found => ({
  kind: 'user',
  path: `/users/${detail}`,
  title,
  detail
})
const all: Found[] = [
  { kind: 'view', path: '/users', title: 'Users' },
  { kind: 'role', path: '/roles/user', title: 'User', detail: 'user' },
  person('Zoë Hopper', 'zoe@example.com'),
  person('Grace Hopper', 'grace.hopper@example.com'),
  person('Hope Grant', 'hope@example.com'),
  { kind: 'flag', path: '/flags/new-checkout', title: 'new-checkout' }
]
const titles = (query: string, recent: string[] = []) =>
  ranked(query, all, recent).map(({ title }) => title)

t.test('what is called so comes before what begins so, and that before the rest', async (t) => {
  t.same(titles('user'), ['User', 'Users'])
  t.same(titles('hop'), ['Hope Grant', 'Zoë Hopper', 'Grace Hopper'])
  t.same(titles('checkout'), ['new-checkout'], 'a word of a key')
  t.same(titles('eckou'), ['new-checkout'], 'any part')
})

t.test('every word must occur, in any order, with or without accents', async (t) => {
  t.same(titles('hopper grace'), ['Grace Hopper'])
  t.same(titles('ZOE'), ['Zoë Hopper'])
  t.same(titles('hopper nobody'), [])
})

t.test('of equals, what was opened last comes first', async (t) => {
  t.same(titles('hopper', ['/users/grace.hopper@example.com']), ['Grace Hopper', 'Zoë Hopper'])
  t.same(titles('user', ['/users']), ['User', 'Users'], 'a better match stays first')
})

t.test('a long name leaves room for the rest of a sentence', async (t) => {
  t.equal(shortName({ name: 'Ada Lovelace' }), 'Ada Lovelace')
  t.equal(shortName({ name: '👩‍🚀'.repeat(40) }).endsWith('…'), true)
  t.equal([...shortName({ name: 'W'.repeat(80) })].length, 40)
})
