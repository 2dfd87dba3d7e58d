import t from 'tap'
import { createPageSession, sessionAfter } from '../shared/session.ts'
import type { PageSession } from '../shared/session.ts'

type User = Parameters<typeof sessionAfter>[1] & object

const user = (id: string) => ({ id, name: id }) as unknown as User
const [ada, grace] = [user('ada'), user('grace')]

t.test('a session begins, ends, and begins again for the same user', async (t) => {
  let state: PageSession = { is: 'unknown' }
  const steps = [null, ada, null, ada].map((found) => (state = sessionAfter(state, found)).is)
  t.same(steps, ['nobody', 'live', 'ended', 'live'])
})

t.test('what changes about the user is taken over', async (t) => {
  const renamed = { ...ada, name: 'Ada' }
  t.match(sessionAfter({ is: 'live', user: ada }, renamed), { is: 'live', user: { name: 'Ada' } })
})

t.test('another user never gets the page of the first', async (t) => {
  for (const is of ['live', 'ended'] as const) {
    const state = sessionAfter({ is, user: ada }, grace)
    t.match(state, { is: 'foreign', user: { id: 'ada' } })
    t.equal(sessionAfter(state, ada), state, 'until the page is loaded again')
  }
})

t.test('the page is loaded again once when another user is found', async (t) => {
  let reloads = 0
  const { state, found } = createPageSession(() => reloads++)
  for (const each of [ada, grace, grace, ada]) found(each)
  t.match(state.value, { is: 'foreign', user: ada })
  t.equal(reloads, 1)
})
