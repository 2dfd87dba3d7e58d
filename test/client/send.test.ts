import t from 'tap'
import { createSend } from '../../src/client/connection.ts'
import type { ProofRequest } from '../../src/client/connection.ts'
import { createSession } from '../../src/client/session.ts'
import type { User } from '../../src/client/session.ts'

const user = (id: string) => ({ id }) as unknown as User
const [ada, grace] = [user('ada'), user('grace')]
const origin = 'https://app.example.com'

const problem = (code: string, more: object = {}) =>
  Response.json({ code, ...more }, { status: 401 })
const done = () => Response.json({ done: true })

/** A page of Ada. `answers` responds to each call in turn, with its body. */
async function aPage(
  answers: ((body: string) => Response | Promise<Response>)[],
  onProof?: (request: ProofRequest) => Promise<boolean>
) {
  const found = { user: ada as User | null | undefined }
  const session = createSession({ read: async () => found.user, onEnd() {}, tell() {} })
  await session.look()
  const bodies: string[] = []
  const expected: (string | null)[] = []
  const proofs: (string | null)[] = []
  const send = createSend({
    async transfer(request) {
      bodies.push(await request.text())
      expected.push(request.headers.get('portal-user'))
      proofs.push(request.headers.get('portal-proof'))
      return answers[bodies.length - 1]!(bodies.at(-1)!)
    },
    session,
    authPathOf: (url) => /\/api\/auth\/(.*)$/.exec(url)?.[1],
    isPortal: (url) => url.startsWith(`${origin}/api/`),
    onProof,
    async solve({ salt }) {
      if (salt === 'unsolvable') throw new Error('it takes too long')
      return `solved ${salt}`
    }
  })
  const call = (path: string, method = 'POST') =>
    send(new Request(origin + path, { method, ...(method === 'POST' && { body: '{"a":1}' }) }))
  return { found, session, bodies, expected, proofs, call }
}

t.test('a call that left with a replaced cookie is repeated once, with its body', async (t) => {
  const { call, bodies } = await aPage([() => problem('unauthenticated'), done])
  t.equal((await call('/api/user/name')).status, 200)
  t.same(bodies, ['{"a":1}', '{"a":1}'])
})

t.test('a refusal that is not the JSON that it says is returned as it came', async (t) => {
  const refusals = [
    ['', 401],
    ['Forbidden', 403],
    ['null', 401],
    ['<html>', 502],
    ['"conflict"', 409]
  ] as const
  const headers = { 'content-type': 'application/json' }
  const { call, bodies } = await aPage(
    refusals.map(
      ([body, status]) =>
        () =>
          new Response(body, { status, headers })
    )
  )
  for (const [body, status] of refusals) {
    const response = await call('/invoices', 'GET')
    t.equal(response.status, status)
    t.equal(await response.text(), body)
  }
  t.equal(bodies.length, refusals.length, 'none is repeated')
})

t.test('a call is not repeated when the session has ended', async (t) => {
  const { call, bodies, found, session } = await aPage([() => problem('unauthenticated')])
  found.user = null
  t.equal((await call('/api/user/name')).status, 401)
  t.equal(bodies.length, 1)
  t.same(session.value, { is: 'signed-out' })
})

t.test('three calls that need a proof ask one question, and all are repeated', async (t) => {
  let asked = 0
  let answer = (_isProved: boolean) => {}
  const needed = () => problem('reauthentication-required', { methods: ['password'] })
  const page = await aPage([needed, needed, needed, done, done, done], (request) => {
    asked++
    t.same(request, { methods: ['password'], providers: [] })
    return new Promise((resolve) => (answer = resolve))
  })
  const calls = [1, 2, 3].map(() => page.call('/api/user/email'))
  while (page.bodies.length < 3) await new Promise(setImmediate)
  await new Promise(setImmediate)
  answer(true)
  t.same(
    (await Promise.all(calls)).map(({ status }) => status),
    [200, 200, 200]
  )
  t.equal(asked, 1)
  t.same(new Set(page.bodies), new Set(['{"a":1}']), 'nothing that was typed is lost')
})

t.test('a call that left before the proof is repeated without another question', async (t) => {
  let arrive = (_response: Response) => {}
  let asked = 0
  const needed = () => problem('reauthentication-required')
  const slow = () => new Promise<Response>((resolve) => (arrive = resolve))
  const { call, bodies } = await aPage([slow, needed, done, done], async () => ++asked > 0)
  const first = call('/api/user/email')
  while (bodies.length < 1) await new Promise(setImmediate)
  t.equal((await call('/api/user/email')).status, 200)
  arrive(needed())
  t.equal((await first).status, 200)
  t.equal(asked, 1)
})

t.test('a call that a proof does not help is repeated once', async (t) => {
  const needed = () => problem('reauthentication-required')
  const { call, bodies } = await aPage([needed, needed], async () => true)
  t.equal((await call('/api/user/email')).status, 401)
  t.equal(bodies.length, 2)
})

t.test('a user who cancels the proof has changed nothing', async (t) => {
  const { call, bodies } = await aPage(
    [() => problem('reauthentication-required')],
    async () => false
  )
  t.equal((await call('/api/user/email')).status, 401)
  t.equal(bodies.length, 1)
})

t.test('the authentication itself asks for no other', async (t) => {
  const { call } = await aPage([() => problem('reauthentication-required')], async () => {
    throw new Error('It must not ask.')
  })
  t.equal((await call('/api/auth/reauthenticate')).status, 401)
})

t.test('a change of the first user is not sent as another one', async (t) => {
  const { call, bodies, found, session } = await aPage([])
  found.user = grace
  const looking = session.look() // as when the window gets the focus
  t.equal((await call('/api/user/name')).status, 401)
  await looking
  t.same(bodies, [])
})

t.test('nothing is sent for a user of whom the portal cannot be asked', async (t) => {
  const { call, bodies, found, session } = await aPage([done])
  found.user = undefined
  await session.look()
  await t.rejects(call('/api/user/name'), TypeError)
  t.same(bodies, [])
  found.user = ada
  t.equal((await call('/api/user/name')).status, 200)
})

t.test('calls of the portal say for whom they are, and calls of services do not', async (t) => {
  const { call, expected, found, session } = await aPage([
    done,
    done,
    () => problem('unauthenticated'),
    done,
    done
  ])
  await call('/api/user/name')
  await call('/invoices')
  await call('/api/user/name')
  found.user = null
  await session.look()
  await call('/api/auth/login')
  t.same(expected, ['ada', null, 'ada', 'ada', null], 'also when a call is repeated')
})

t.test('a page learns from the portal that somebody else is signed in', async (t) => {
  const page = await aPage([() => Response.json({ code: 'other-user' }, { status: 409 })])
  page.found.user = grace
  const response = await page.call('/api/user/name')
  t.equal(response.status, 401)
  t.match(await response.json(), { code: 'unauthenticated', detail: /Another user/ })
  t.match(page.session.value, { user: { id: 'grace' } })
  t.equal(page.bodies.length, 1, 'nothing is repeated as the other user')
})

t.test('what was read for the first user is not shown to another one', async (t) => {
  const page = await aPage([
    async () => {
      page.found.user = grace
      await page.session.look()
      return done()
    }
  ])
  t.equal((await page.call('/api/user/profile', 'GET')).status, 401)
})

t.test('a sign-in, its second factor and a sign-out change the session', async (t) => {
  const due = { next: 'second-factor', methods: ['totp'], expiresAt: '' }
  const { call, session } = await aPage([
    () => new Response(null, { status: 204 }),
    () => Response.json(due, { status: 202 }),
    () => problem('login-expired'),
    () => Response.json({ user: grace }, { status: 201 }),
    () => Response.json({ user: grace, session: {} }),
    () => Response.json({ session: {} })
  ])
  await call('/api/auth/logout')
  t.same(session.value, { is: 'signed-out' })
  await call('/api/auth/login')
  t.same(session.value, { is: 'second-factor', due })
  await call('/api/auth/login/verify')
  t.same(session.value, { is: 'signed-out' })
  await call('/api/auth/register')
  t.same(session.value, { is: 'signed-out' }, 'a registration signs nobody in')
  await call('/api/auth/login/verify')
  t.same(session.value, { is: 'signed-in', user: grace })
  await call('/api/auth/reauthenticate')
  t.same(session.value, { is: 'signed-in', user: grace }, 'still')
})

const challenged = (salt: string) => () =>
  Response.json({ code: 'challenge-required', challenge: { salt } }, { status: 428 })

t.test('a call that needs a challenge is repeated with its solution, and its body', async (t) => {
  const { call, bodies, proofs } = await aPage([challenged('one'), challenged('two'), done])
  t.equal((await call('/api/auth/register')).status, 200)
  t.same(proofs, [null, 'solved one', 'solved two'])
  t.same(bodies, ['{"a":1}', '{"a":1}', '{"a":1}'])
})

t.test('a challenge that cannot be solved, or never ends, is the response', async (t) => {
  const unsolvable = await aPage([challenged('unsolvable')])
  t.equal((await unsolvable.call('/api/auth/register')).status, 428)
  const endless = await aPage(['1', '2', '3', '4'].map(challenged))
  t.equal((await endless.call('/api/auth/register')).status, 428)
  t.equal(endless.bodies.length, 4, 'it is not repeated for ever')
})
