import createClient from 'openapi-fetch'
import type { paths } from './portal.d.ts'

/**
 * A client as developers of an app would write it, with types generated from the committed
 * document: test/openapi/client.slow.ts compiles it in strict mode and runs it against a server.
 * Returns the results.
 */
export async function mainJob(baseUrl: string, account: { email: string; password: string }) {
  let cookie = ''
  const portal = createClient<paths>({ baseUrl })
  portal.use({
    onRequest({ request }) {
      if (cookie) request.headers.set('cookie', cookie)
      return request
    },
    onResponse({ response }) {
      const [set] = response.headers.getSetCookie()
      if (set !== undefined) cookie = set.split(';')[0] ?? ''
    }
  })

  const registered = await portal.POST('/api/auth/register', {
    body: { ...account, name: 'Ada Lovelace' }
  })
  if (!registered.data) throw new Error(registered.error.detail)
  // Where addresses must be confirmed, there is no account yet.
  if (!('user' in registered.data)) throw new Error(registered.data.status)
  const again = await portal.POST('/api/auth/register', {
    body: { ...account, name: 'Ada Lovelace' }
  })
  const wrong = await portal.POST('/api/auth/login', {
    body: { ...account, password: 'wrong password' }
  })

  const signedIn = await portal.POST('/api/auth/login', { body: account })
  if (!signedIn.data) throw new Error(signedIn.error.detail)
  // The types remind the app of accounts with a second factor.
  if (!('user' in signedIn.data)) throw new Error(signedIn.data.next)
  const permissions: string[] = signedIn.data.user.permissions

  const theme = await portal.PUT('/api/user/theme', { body: { theme: 'dark' } })
  const profile = await portal.PATCH('/api/user/profile', { body: { locale: 'en-gb', bio: null } })
  const refused = await portal.PATCH('/api/user/profile', { body: { timeZone: 'Europe/Atlantis' } })
  const sessions = await portal.GET('/api/user/sessions', { params: { query: { limit: 10 } } })
  const current = sessions.data?.items.find((session) => session.current)
  const denied = await portal.GET('/api/admin/users', {
    params: { query: { q: 'ada', sort: '-createdAt' } }
  })
  const signedOut = await portal.POST('/api/auth/logout')
  const after = await portal.GET('/api/auth/me')

  return {
    registered: registered.data.user.email,
    again: again.error?.code,
    wrong: wrong.error?.code,
    permissions,
    theme: theme.data?.theme satisfies 'light' | 'dark' | 'system' | undefined,
    locale: profile.data?.locale satisfies string | null | undefined,
    refused: refused.error?.errors?.map((error) => error.pointer),
    current: current?.id === signedIn.data.session.id,
    denied: denied.error?.code,
    signedOut: signedOut.response.status,
    after: after.error?.code
  }
}
