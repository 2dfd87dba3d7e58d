import t from 'tap'
import { createSession } from '../../src/client/session.ts'
import type { User } from '../../src/client/session.ts'

const user = (id: string, name = id) => ({ id, name }) as unknown as User
const [ada, grace] = [user('ada'), user('grace')]
const due = { next: 'second-factor' as const, methods: ['totp' as const], expiresAt: '' }

/** A session that gets these answers of the portal, one after the other. */
function aSession(...answers: (User | null | undefined)[]) {
  const seen = { reads: 0, draws: 0, told: 0, ended: [] as string[] }
  const session = createSession({
    read: async () => answers[seen.reads++],
    onEnd: ({ id }) => seen.ended.push(id),
    tell: () => seen.told++
  })
  session.subscribe(() => seen.draws++)
  return { session, seen }
}

t.test('nobody knows who is signed in before the first look', async (t) => {
  const { session, seen } = aSession(null)
  t.same(session.value, { is: 'unknown' })
  t.same(await session.look(), { is: 'signed-out' })
  t.match(seen, { reads: 1, draws: 1, ended: [], told: 0 })
})

t.test('a portal that cannot be reached says nothing about the session', async (t) => {
  const { session, seen } = aSession(ada, undefined)
  await session.look()
  t.match(await session.look(), { is: 'signed-in', user: ada })
  t.match(seen, { draws: 1, ended: [] })
})

t.test('a look asks twice before a session counts as ended', async (t) => {
  const { session, seen } = aSession(ada, null, ada, null, null)
  await session.look()
  t.match(await session.look(), { is: 'signed-in' }, 'the first left with a replaced cookie')
  t.match(await session.look(), { is: 'signed-out' })
  t.match(seen, { reads: 5, ended: ['ada'] })
})

t.test('another user ends the session of the first', async (t) => {
  const { session, seen } = aSession(ada, grace)
  await session.look()
  t.match(await session.look(), { is: 'signed-in', user: grace })
  t.same(seen.ended, ['ada'])
})

t.test('the same user is not drawn again, and a changed one is', async (t) => {
  const { session, seen } = aSession(ada, user('ada'), user('ada', 'Ada'))
  const first = await session.look()
  t.equal(await session.look(), first)
  t.equal(seen.draws, 1)
  await session.look()
  t.match(seen, { draws: 2, ended: [] })
})

t.test('a sign-in that waits for its second factor outlives a look', async (t) => {
  const { session } = aSession(null)
  session.learn(due, true)
  t.same(await session.look(), { is: 'second-factor', due })
  session.learn(ada, true)
  t.match(session.value, { is: 'signed-in', user: ada })
})

t.test('what a call shows while a look is under way is newer', async (t) => {
  let answer = (_found: User | null) => {}
  const session = createSession({
    read: () => new Promise((resolve) => (answer = resolve)),
    onEnd() {},
    tell() {}
  })
  const looking = session.look()
  await Promise.resolve()
  session.learn(ada, true)
  answer(null)
  t.match(await looking, { is: 'signed-in', user: ada })
})

t.test(
  'other tabs are told when this one signs somebody in or out, and of nothing else',
  async (t) => {
    const { session, seen } = aSession(grace)
    session.learn(ada, true)
    session.learn(user('ada', 'Ada'), true)
    session.learn(null, true)
    t.equal(seen.told, 2)
    session.learn(grace, false)
    await session.look()
    t.equal(seen.told, 2, 'or tabs would tell each other forever')
  }
)

t.test('after a look that failed, the next call asks first, or is not sent', async (t) => {
  const { session, seen } = aSession(ada, undefined, undefined, grace)
  const look = session.look()
  t.ok(session.looked(), 'a call waits for the question that is under way')
  await look
  t.equal(session.looked(), false, 'nothing is asked as long as the portal has answered')
  t.equal(seen.reads, 1)
  await session.look()
  await t.rejects(Promise.resolve(session.looked()), TypeError)
  await session.looked()
  t.match(session.value, { is: 'signed-in', user: grace })
  t.equal(seen.reads, 4)
})
