import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { createCodes } from './codes.ts'
import { json, serve } from './loopback.ts'

/**
 * A stand-in for GitHub, which does not speak OpenID Connect: it has no ID token, no nonce and no
 * `iss`, and answers 200 to errors of the token endpoint.
 */
export async function startGithub(t: Pick<Test, 'teardown'>) {
  const codes = createCodes()
  const tokens = new Set<string>()
  const state = {
    client: { id: 'Iv1.portal', secret: randomUUID() },
    endpoints: { authorization: '', token: '', api: '' },
    /** Who signs in. `email` is what the profile shows to everybody, which proves nothing. */
    user: { id: 583_231, login: 'octo', name: 'Nora Field', email: null } as Record<
      string,
      unknown
    >,
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'nora.field@example.com', primary: true, verified: true }
    ] as unknown,
    /** The error of the next exchange, with status 200. */
    error: undefined as string | undefined
  }
  const origin = await serve(t, (received) => {
    const { url, form, headers } = received
    switch (url.pathname) {
      case '/login/oauth/authorize':
        return codes.authorize(received)
      case '/login/oauth/access_token': {
        const known = form.get('client_secret') === state.client.secret
        const error = known ? state.error : 'incorrect_client_credentials'
        if (error !== undefined) return json({ error, error_description: '<b>Sorry</b>' })
        if (!codes.redeem(form)) return json({ error: 'bad_verification_code' })
        const token = `gho_${randomUUID()}`
        tokens.add(token)
        return json({ access_token: token, token_type: 'bearer', scope: 'user:email' })
      }
    }
    const [, token = ''] = /^(?:bearer|token) (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
    if (!tokens.has(token)) return json({ message: 'Requires authentication' }, 401)
    if (!headers.get('user-agent')) return json({ message: 'User-Agent is required' }, 403)
    if (url.pathname === '/user') return json(state.user)
    if (url.pathname === '/user/emails') {
      const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100)
      return json(Array.isArray(state.emails) ? state.emails.slice(0, size) : state.emails)
    }
    return json({ message: 'Not Found' }, 404)
  })
  state.endpoints = {
    authorization: `${origin}/login/oauth/authorize`,
    token: `${origin}/login/oauth/access_token`,
    api: origin
  }
  return state
}
