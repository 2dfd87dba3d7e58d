// Slow: it waits for the deadline of five seconds.
import t from 'tap'
import { ownApp } from '../support/app.ts'
import { configured } from '../support/providers/configured.ts'
import { begin } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'

t.test('a provider that hangs delays nobody but its own users', async (t) => {
  const [hanging, fine] = await Promise.all([
    startOidcProvider(t, { keys: ['hanging'] }),
    startOidcProvider(t, { keys: ['fine'] })
  ])
  hanging.trouble = () => 'hang'
  const app = await ownApp(t, {
    providers: [
      configured.oidc(hanging, { key: 'hanging' }),
      configured.oidc(fine, { key: 'fine' })
    ]
  })
  const begun = performance.now()
  const waiting = Promise.all(
    Array.from({ length: 50 }, () => begin(app, new Map(), { key: 'hanging' }))
  )
  const first = await Promise.race([waiting, begin(app, new Map(), { key: 'fine' })])
  t.notOk(Array.isArray(first), 'while the other one hangs')
  t.match(first, { response: { statusCode: 200 } })
  for (const { response } of await waiting) t.equal(response.statusCode, 503)
  t.ok(performance.now() - begun >= 4900)
  t.equal(hanging.requests.length, 1, 'one question for all of them')
})
