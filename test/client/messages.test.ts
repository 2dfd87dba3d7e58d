import t from 'tap'
import { messageOf, mistakesOf } from '../../src/client/messages.ts'
import { createPortal, ok } from '../../src/client/portal.ts'
import { ownApp } from '../support/app.ts'
import { portOf } from '../support/raw-requests.ts'

const app = await ownApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
const { api } = createPortal({ baseUrl: `http://127.0.0.1:${portOf(app)}` })

t.test('the error that a call returns has the sentence of the error that ok throws', async (t) => {
  const body = { email: 'ada@example.com', password: 'not this one' }
  const { error } = await api.POST('/api/auth/login', { body })
  const thrown: unknown = await ok(api.POST('/api/auth/login', { body })).catch((each) => each)
  for (const language of ['en', 'de'] as const) {
    t.match(messageOf(error, language), /^[A-Z].*\.$/)
    t.equal(messageOf(error, language), messageOf(thrown, language))
  }
  t.not(messageOf(error, 'de'), messageOf(error, 'en'))
  t.equal(messageOf({ code: 'of-a-later-version', detail: 'Try this.' }, 'de'), 'Try this.')
})

t.test('the error that a call returns has the mistakes of the error that ok throws', async (t) => {
  const body = { email: 'ada', password: 'short', name: 'Ada' }
  const { error } = await api.POST('/api/auth/register', { body })
  const thrown: unknown = await ok(api.POST('/api/auth/register', { body })).catch((each) => each)
  t.match(mistakesOf(error, 'de'), { email: 'Das ist keine E-Mail-Adresse.' })
  t.same(mistakesOf(error, 'de'), mistakesOf(thrown, 'de'))
})

t.test('a returned error that is not from the portal is not shown', async (t) => {
  for (const text of ['<h1>Bad gateway</h1>', '{"message":"no upstream"}', '']) {
    const foreign = createPortal({
      baseUrl: 'https://app.example.com',
      fetch: async () => new Response(text, { status: 502 })
    })
    const { error } = await foreign.api.GET('/api/user/settings')
    t.match(messageOf(error), /^The response is not from the portal\./, text)
    t.same(mistakesOf(error), {})
  }
})
