import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { Webhook } from 'standardwebhooks'
import type { Config } from '../../src/config/config.ts'
import { newSecret } from '../../src/domain/webhooks/signature.ts'
import { freshEmail, ownApp, password } from '../support/app.ts'

/** A hook that responds with this status and body, and an application that asks it. */
async function asked(t: Test, status: number, body: string, changes: Partial<Config> = {}) {
  const secret = newSecret()
  const messages: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      messages.push(new Webhook(secret).verify(text, request.headers as Record<string, string>))
      response.writeHead(status, { location: '/elsewhere' }).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const app = await ownApp(t, {
    REGISTER_HOOK: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    REGISTER_HOOK_SECRET: secret,
    ...changes
  })
  const register = (email = freshEmail()) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email, password, name: 'Ada' }
    })
  return { register, messages, server }
}

t.test('the hook gets a signed message about each registration, and allows it', async (t) => {
  const { register, messages } = await asked(t, 200, '{"allow":true}')
  const email = freshEmail()
  t.equal((await register(email)).statusCode, 201)
  t.match(messages, [{ type: 'registration', data: { email, name: 'Ada', ip: '127.0.0.1' } }])
})

t.test('the user gets the words with which the hook refuses', async (t) => {
  const { register } = await asked(t, 200, '{"allow":false,"reason":"Ask Grace first."}')
  t.match((await register()).json(), { code: 'registration-refused', detail: 'Ask Grace first.' })
})

t.test('a hook that says neither or is down refuses for now', async (t) => {
  for (const [status, body] of [
    [500, '{"allow":true}'],
    [302, ''],
    [200, 'yes'],
    [200, '{"allow":"yes"}'],
    [200, 'null']
  ] as const) {
    const { register } = await asked(t, status, body)
    t.match((await register()).json(), { status: 503, code: 'hook-failed' }, `${status} ${body}`)
  }
  const { register, server } = await asked(t, 200, '')
  server.close()
  t.match((await register()).json(), { status: 503, code: 'hook-failed' })
})

t.test('a domain that is refused does not reach the hook', async (t) => {
  const { register, messages } = await asked(t, 200, '{"allow":true}', {
    REGISTRATION_DOMAINS: 'acme.com'
  })
  t.match((await register()).json(), { code: 'domain-refused' })
  t.same(messages, [])
})
