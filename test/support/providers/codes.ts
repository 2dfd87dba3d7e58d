import { createHash, randomUUID } from 'node:crypto'
import type { Received } from './loopback.ts'

/** The authorization codes of a stand-in, each of which is exchanged once. */
export function createCodes() {
  const issued = new Map<string, URLSearchParams>()
  return {
    /** Answers a request of a browser. `more` goes back with the code. */
    authorize({ url }: Received, more: Record<string, string> = {}): Response {
      const query = url.searchParams
      const code = randomUUID()
      issued.set(code, query)
      const params = new URLSearchParams({ code, state: query.get('state') ?? '', ...more })
      return leadBack(query, params)
    },
    /** The request that a code belongs to, if the client proves that it is its own (RFC 7636). */
    redeem(form: URLSearchParams): URLSearchParams | undefined {
      const code = form.get('code') ?? ''
      const query = issued.get(code)
      issued.delete(code)
      const challenge = createHash('sha256').update(form.get('code_verifier') ?? '')
      const proved =
        challenge.digest('base64url') === query?.get('code_challenge') &&
        form.get('redirect_uri') === query.get('redirect_uri')
      return proved ? query : undefined
    }
  }
}

function leadBack(query: URLSearchParams, params: URLSearchParams) {
  const uri = query.get('redirect_uri') ?? ''
  if (query.get('response_mode') !== 'form_post') {
    return new Response(null, { status: 302, headers: { location: `${uri}?${params}` } })
  }
  return formOf(uri, params)
}

/** A page that posts a form by itself. */
function formOf(action: string, params: URLSearchParams): Response {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const inputs = [...params].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`
  )
  return new Response(
    `<form method="post" action="${action}">${inputs.join('')}<button>Continue</button></form>
<script>document.forms[0].submit()</script>`,
    { headers: { 'content-type': 'text/html' } }
  )
}
