import t from 'tap'
import { createSend } from '../../src/client/connection.ts'
import { createSession } from '../../src/client/session.ts'
import type { User } from '../../src/client/session.ts'
import { aCaller, testApp } from '../support/app.ts'

const app = await testApp(t)

t.test('the page of one user changes nothing of the next one in its browser', async (t) => {
  const [first, next] = [await aCaller(app), await aCaller(app)]
  let { cookie } = first
  const transfer = async (request: Request) => {
    const payload = await request.text()
    const { statusCode, headers, body } = await app.inject({
      method: request.method as 'PUT',
      url: new URL(request.url).pathname,
      headers: { ...Object.fromEntries(request.headers), cookie },
      ...(payload !== '' && { payload })
    })
    return new Response(body, {
      status: statusCode,
      headers: { 'content-type': String(headers['content-type']) }
    })
  }
  const url = (path: string) => `http://localhost:3000${path}`
  const session = createSession({
    read: async () =>
      ((await (await transfer(new Request(url('/api/auth/session')))).json()) as { user: User })
        .user,
    onEnd() {},
    tell() {}
  })
  const isPortal = () => true
  const solve = () => Promise.reject(new Error('nothing is challenged'))
  const send = createSend({ transfer, session, isPortal, authPathOf: () => undefined, solve })
  await session.look()
  ;({ cookie } = next) // another tab has signed in
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ theme: 'dark' })
  const change = new Request(url('/api/user/theme'), { method: 'PUT', headers, body })
  t.equal((await send(change)).status, 401)
  t.match((await next.call('GET', '/api/auth/me')).json(), { user: { theme: 'system' } })
  t.match(session.value, { user: { id: next.user.id } }, 'the page knows who it is now')
})
