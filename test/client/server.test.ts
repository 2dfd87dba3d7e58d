import { createElement } from 'react'
import type { ReactNode } from 'react'
import t from 'tap'
import { followFlags } from '../../src/client/flags.ts'
import { createPortal } from '../../src/client/portal.ts'
import { PortalProvider, SignedIn, SignedOut, useSession } from '../../src/client/react.ts'

// The types of this package are not installed.
const { renderToString } = (await import('react-dom/server' as string)) as {
  renderToString(node: ReactNode): string
}

// On a server that renders pages, all requests share one client. It must not learn who a user is.

const user = { id: crypto.randomUUID(), permissions: [] }
const unknown = { is: 'unknown' }

/** A client on a server. The portal says that Ada is signed in. */
const aPortal = () =>
  createPortal({
    baseUrl: 'https://app.example.com',
    fetch: async () => Response.json({ user, session: {}, url: 'https://provider.example.com' })
  })

t.test('on a server, nobody is signed in whatever the portal says', async (t) => {
  const portal = aPortal()
  t.same(await portal.session.look(), unknown)
  t.same(await portal.signIn({ email: 'ada@example.com', password: 'a password' }), unknown)
  t.equal(portal.may('profile:read'), false)
})

t.test('calls of providers and flags use nothing that only browsers have', async (t) => {
  for (const name of ['sessionStorage', 'localStorage', 'BroadcastChannel']) {
    const get = () => t.fail(`${name} is used on a server`)
    t.intercept(globalThis, name as never, { get, configurable: true } as never)
  }
  const portal = aPortal()
  const params = { path: { key: 'google' } }
  const body = { intent: 'sign-in' } as const
  const { data } = await portal.api.POST('/api/auth/providers/{key}', { params, body })
  t.equal(data?.url, 'https://provider.example.com')
  t.equal(typeof followFlags(portal), 'function')
})

t.test('a page rendered on a server shows neither users nor visitors their part', async (t) => {
  const State = () => useSession().is
  const html = renderToString(
    createElement(
      PortalProvider,
      { portal: aPortal() },
      createElement(SignedIn, null, 'for users'),
      createElement(SignedOut, null, 'for visitors'),
      createElement(State)
    )
  )
  t.equal(html, 'unknown')
})

t.test('flags are followed in a scope, which is in the query of each evaluation', async (t) => {
  const asked = new Promise<Request>((resolve) => {
    const portal = createPortal({
      baseUrl: 'https://app.example.com',
      oneUser: true,
      fetch: async (request) => {
        if (!request.url.includes('/ofrep/')) return Response.json({ user, session: {} })
        resolve(request)
        return Response.json({ flags: [] })
      }
    })
    const options = { baseUrl: 'https://app.example.com', scope: 'org:1', interval: 0 }
    t.teardown(followFlags(portal, options))
    portal.session.look().catch(t.error)
  })
  const request = await asked
  t.equal(request.url, 'https://app.example.com/ofrep/v1/evaluate/flags?scope=org%3A1')
  t.equal(request.method, 'POST')
  t.match(await request.json(), { context: { targetingKey: user.id } })
})
