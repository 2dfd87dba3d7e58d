import t from 'tap'
import { createCookies } from '../../src/http/cookies.ts'

const serialize = (name: string, value: string, options: object) =>
  `${name}=${value} ${JSON.stringify(options)}`
const { session, device } = createCookies({ serialize, development: false, sessionSeconds: 60 })

t.test('every value under exactly this name is read, in order', async (t) => {
  const name = '__Host-portal_session'
  const headers: [string | undefined, string[]][] = [
    [undefined, []],
    ['', []],
    [`${name}=a`, ['a']],
    [`x=1; ${name}=a; y=2`, ['a']],
    [`${name}=a;${name}=b`, ['a', 'b']],
    [` ${name} = a `, ['a']],
    [`${name}`, ['']],
    [`${name}=`, ['']],
    [`${name}2=a; x${name}=b; ${name.toUpperCase()}=c`, []],
    [`x=${name}=a`, []]
  ]
  for (const [header, values] of headers) t.same(session.read(header), values, String(header))
})

t.test('cookie attributes exclude scripts, other sites and other hosts', async (t) => {
  const strict = { path: '/', httpOnly: true, secure: true, sameSite: 'strict' }
  const cookie = (text: string) => {
    const [pair = '', options = ''] = text.split(' ')
    return [pair, JSON.parse(options)] as const
  }
  t.same(cookie(session.set('token')), ['__Host-portal_session=token', { ...strict, maxAge: 60 }])
  t.same(cookie(device.set('id')), ['__Host-portal_device=id', { ...strict, maxAge: 31_536_000 }])
  t.match(cookie(session.clear()), [
    '__Host-portal_session=',
    { ...strict, maxAge: 0, expires: '1970-01-01T00:00:00.000Z' }
  ])
  const development = createCookies({ serialize, development: true, sessionSeconds: 60 })
  t.same(cookie(development.session.set('token')), [
    'portal_session=token',
    { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 }
  ])
})

t.test('a value that a browser might not keep is not sent', async (t) => {
  t.throws(() => session.set('x'.repeat(1480)), { message: /longer than 1500/ })
  t.ok(session.set('x'.repeat(1479)))
})
