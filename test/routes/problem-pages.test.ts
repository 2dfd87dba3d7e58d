import t from 'tap'
import { problems } from '../../src/problems/list.ts'
import { freshEmail, testApp } from '../support/app.ts'

const app = await testApp(t)

t.test('the type of a problem leads to a page in development', async (t) => {
  const payload = { email: freshEmail(), password: 'wrong' }
  const refused = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
  const { type, title } = refused.json()
  const page = await app.inject(type)
  t.equal(page.statusCode, 200)
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.headers['content-security-policy'], /^default-src 'none'; style-src/)
  t.match(page.body, `<title>${title}</title>`)
  t.match(page.body, '401 <code>invalid-credentials</code>')
})

t.test('the example of a rate limit names the seconds', async (t) => {
  const { body } = await app.inject('/problems/rate-limited')
  t.match(body, 'Try again in 30 seconds.')
})

t.test('one page lists every code', async (t) => {
  const { body } = await app.inject('/problems')
  const linked = [...body.matchAll(/href="\/problems\/([a-z-]+)"/g)].map(([, code]) => code)
  t.same(linked, Object.keys(problems).sort())
})

t.test('an unknown code is not found and not repeated', async (t) => {
  for (const code of ['no-such-code', 'constructor', '__proto__', '%3Cb%3E']) {
    const answer = await app.inject(`/problems/${code}`)
    t.match(answer.json(), { status: 404, code: 'not-found' }, code)
    t.notMatch(answer.body, /no-such-code|<b>/)
  }
})

t.test('production has no pages', async (t) => {
  const production = await testApp(t, {
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  for (const url of ['/problems', '/problems/email-taken']) {
    const answer = await production.inject({ url, headers: { host: 'portal.example.com' } })
    t.match(answer.json(), { status: 404, code: 'not-found' }, url)
  }
})
