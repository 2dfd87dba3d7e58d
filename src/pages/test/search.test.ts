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
  ranked(query, { found: [], offered: all }, recent).map(({ title }) => title)

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

t.test('the group with the best match comes first, and people of equals', async (t) => {
  const flag: Found = { kind: 'flag', path: '/flags/hopper', title: 'hopper' }
  const found = [...all.filter(({ kind }) => kind === 'user'), flag]
  const kindsOf = (query: string) =>
    ranked(query, { found, offered: [] }, []).map(({ kind }) => kind)
  t.same(kindsOf('hopper'), ['flag', 'user', 'user', 'user'], 'an exact match')
  t.same(kindsOf('hop'), ['user', 'user', 'user', 'flag'])
  t.same(kindsOf('0199b0a2'), ['user', 'user', 'user', 'flag'], 'found by another text, as an id')
  const many = Array.from({ length: 9 }, (_, n) => person(`Ada ${n}`, `ada${n}@example.com`))
  t.equal(ranked('ada', { found: many, offered: [] }, []).length, 5, 'a few of each kind')
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
