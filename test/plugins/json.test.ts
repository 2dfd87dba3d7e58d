import t from 'tap'
import { freshEmail, password, testApp } from '../helpers.ts'

const app = await testApp(t)
const send = (payload: string | Buffer, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: '/api/auth/register', headers, payload })
const json = { 'content-type': 'application/json' }
const body = () => JSON.stringify({ email: freshEmail(), password, name: 'Ada' })

t.test('JSON in UTF-8 is read, whether the charset is named or not', async (t) => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON']) {
    t.equal((await send(body(), { 'content-type': type })).statusCode, 201, type)
  }
})

t.test('any other type, charset or encoding is 415', async (t) => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'application/merge-patch+json', 'application/json; x=y']
  for (const type of types) {
    const response = await send(body(), { 'content-type': type })
    t.equal(response.statusCode, 415, type)
    t.match(response.json(), { code: 'unsupported-media-type' })
  }
  t.equal((await send(body(), { ...json, 'content-encoding': 'gzip' })).statusCode, 415)
})

t.test('what is not JSON is 400, and nothing of it comes back', async (t) => {
  const texts = ['{"email": canary', '{"canary"', '', '{"__proto__": {"canary": 1}}', '{"constructor": {"prototype": {"canary": 1}}}', '{} {}', 'NaN']
  for (const text of texts) {
    const response = await send(text, json)
    t.equal(response.statusCode, 400, text)
    t.match(response.json().code, /^(malformed-json|invalid-request)$/)
    t.notMatch(response.body, /canary|prototype|Unexpected/)
  }
})

t.test('bytes that are not UTF-8 are 400', async (t) => {
  const response = await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), json)
  t.equal(response.statusCode, 400)
  t.match(response.json(), { code: 'malformed-json' })
})

t.test('a body over the limit is 413', async (t) => {
  const response = await send(JSON.stringify({ name: 'x'.repeat(4096) }), json)
  t.equal(response.statusCode, 413)
  t.match(response.json(), { code: 'body-too-large' })
})
