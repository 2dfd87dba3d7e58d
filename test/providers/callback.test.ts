import t from 'tap'
import { ownApp } from '../support/app.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'

t.test('the callback repeats nothing but code, state and issuer, each once', async (t) => {
  const acme = await startOidcProvider(t)
  const app = await ownApp(t, { providers: [configured.oidc(acme)] })
  const at = '/api/auth/providers/acme/callback'
  const markup = await app.inject(
    `${at}?state=s&error=%3Cscript%3E&error_description=%3Cscript%3Ealert(1)%3C/script%3E&error_uri=x`
  )
  t.equal(markup.statusCode, 200)
  t.match(markup.headers['content-type'], /^text\/html/)
  t.notMatch(markup.body, /script|alert/)
  t.match(markup.body, /state=s&amp;error=error"/)
  t.ok(markup.body.length < 500)
  t.equal(
    markup.headers['content-security-policy'],
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'"
  )
  t.equal(markup.headers['set-cookie'], undefined)

  const many = Array.from({ length: 50 }, (_, i) => `p${i}=1`).join('&')
  t.equal((await app.inject(`${at}?code=c&state=s&${many}`)).statusCode, 200)
  t.equal((await app.inject(`${at}?code=${'c'.repeat(5900)}&state=s`)).statusCode, 200)
  t.equal((await app.inject(`${at}?code=${'c'.repeat(8192)}`)).statusCode, 414)
  t.equal((await app.inject(`${at}?code=a&code=b&state=s`)).statusCode, 400)
  t.equal((await app.inject(`${at}?code=%3Cb%3E&scope=a&scope=b`)).statusCode, 200)

  const post = (payload: string, type: string) =>
    app.inject({
      method: 'POST',
      url: at,
      payload,
      headers: { 'content-type': type, origin: 'https://appleid.apple.com' }
    })
  const form = 'application/x-www-form-urlencoded'
  const posted = await post('code=c&state=s&user=%7B%22name%22%3A1%7D', form)
  t.match(posted, { statusCode: 200, body: /code=c&amp;state=s"/ })
  t.notMatch(posted.body, /user|name/)
  t.equal((await post('code=a&code=b', form)).statusCode, 400)
  t.equal((await post('{"code":"c"}', 'application/json')).statusCode, 415)
  t.equal((await post('--x--', 'multipart/form-data; boundary=x')).statusCode, 415)
  t.equal((await post(`code=${'c'.repeat(9000)}`, form)).statusCode, 413)
})
