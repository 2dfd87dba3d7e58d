import t from 'tap'
import { cursorScope, nextLink } from '../../plugins/lists.ts'

t.test(
  'a cursor belongs to a list, its filters and its reader, whatever the page size',
  async (t) => {
    const scope = cursorScope('/users', 'ada', { sort: 'name', q: 'a' })
    t.equal(cursorScope('/users', 'ada', { q: 'a', sort: 'name', limit: 5, cursor: 'x' }), scope)
    t.not(cursorScope('/roles', 'ada', { sort: 'name', q: 'a' }), scope)
    t.not(cursorScope('/users', 'bob', { sort: 'name', q: 'a' }), scope)
    t.not(cursorScope('/users', 'ada', { sort: 'name', q: 'b' }), scope)
    t.not(cursorScope('/users', 'ada', { sort: 'name' }), scope)
  }
)

t.test('the link to the next page has the query of this one', async (t) => {
  t.equal(
    nextLink('/users', { q: 'a&b', limit: 5, cursor: 'old' }, 'new'),
    '</users?q=a%26b&limit=5&cursor=new>; rel="next"'
  )
})
