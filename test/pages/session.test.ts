import t from 'tap'
import { createSession, sessionAfter } from '../../src/pages/shared/session.ts'
import type { Session } from '../../src/pages/shared/session.ts'

type User = Parameters<typeof sessionAfter>[1] & object

const user = (id: string) => ({ id, name: id }) as unknown as User
const [ada, grace] = [user('ada'), user('grace')]

t.test('a session begins, ends, and begins again for the same user', async (t) => {
  let state: Session = { is: 'unknown' }
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

/** A session whose page counts how often it is loaded again. */
function aSession(...answers: (User | null | undefined)[]) {
  const counts = { reads: 0, reloads: 0 }
  const session = createSession({
    read: async () => answers[counts.reads++],
    reload: () => counts.reloads++
  })
  return { ...session, counts }
}

t.test('a check asks twice before the session counts as ended', async (t) => {
  const { check, found, state, counts } = aSession(null, ada, null, null)
  t.equal(await check(), undefined, 'without a user there is nothing to check')
  found(ada)
  t.match(await check(), { is: 'live' }, 'the first request left with a cookie that was replaced')
  await check()
  t.match(state.value, { is: 'ended', user: { id: 'ada' } })
  t.same(counts, { reads: 4, reloads: 0 })
})

t.test('a failed request says nothing about the session', async (t) => {
  const { check, found, state } = aSession(undefined, undefined)
  found(ada)
  t.equal(await check(), undefined)
  t.match(state.value, { is: 'live' })
})

t.test('the page is loaded again once when another user is found', async (t) => {
  const { check, found, isForeign, counts } = aSession(grace, grace)
  found(ada)
  t.equal(await isForeign(), false)
  const both = [check(), isForeign()]
  t.same(await Promise.all(both), [{ is: 'foreign', user: ada }, true], 'it waits for the check')
  await check()
  t.equal(counts.reloads, 1)
})
