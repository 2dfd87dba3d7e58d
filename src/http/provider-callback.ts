import type { CallbackParams } from '../domain/providers/client.ts'
import { escapeHtml } from '../html.ts'

const pathOf = (key: string, what: 'callback' | 'finish') => `/api/auth/providers/${key}/${what}`

/** The redirect URI of a provider: its own, so that no other provider answers there (RFC 9700). */
export const callbackOf = (origin: string, key: string) => `${origin}${pathOf(key, 'callback')}`

/** Error codes (RFC 6749, 4.1.2.1). What else a provider sends is not repeated. */
const errorForm = /^[a-z_]{1,50}$/

/**
 * A page that leads on to `finish`. A provider leads back from another site, and browsers do not
 * send strict cookies along, not even after a redirect. The request that this page causes is from
 * the portal itself, so it carries them.
 */
export function callbackPage(key: string, params: CallbackParams) {
  const query = new URLSearchParams()
  for (const name of ['code', 'state', 'iss', 'error'] as const) {
    const value = params[name]
    if (value === undefined) continue
    query.set(name, name === 'error' && !errorForm.test(value) ? 'error' : value)
  }
  const url = escapeHtml(`${pathOf(key, 'finish')}?${query.toString()}`)
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in</title>' +
    `<meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Continue</a></html>`
  )
}
